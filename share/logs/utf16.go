package logs

import (
	"bufio"
	"io"

	"golang.org/x/text/encoding/unicode"
)

// UTF8 returns a reader of a log as UTF-8. One that starts with the byte order mark
// of UTF-16, as PowerShell writes what > redirects, is decoded, with U+FFFD for what
// is no character; any other is returned as it is. It reads the first two bytes at
// once, and holds 4 KiB.
func UTF8(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	if mark, _ := b.Peek(2); string(mark) == "\xff\xfe" || string(mark) == "\xfe\xff" {
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Reader(b)
	}
	return b
}
