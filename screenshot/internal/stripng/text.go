package stripng

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

const (
	signature = "\x89PNG\r\n\x1a\n"
	textChunk = "iTXt" // PNG, section 11.3.3.4
)

// A Text is a text in a file under a keyword such as Title, which has 1 to 79
// ASCII characters. The value is UTF-8.
type Text struct{ Keyword, Value string }

// chunk returns the data of a chunk: the keyword, the flags of no compression,
// an empty language and translated keyword, and the value.
func (t Text) chunk() []byte { return []byte(t.Keyword + "\x00\x00\x00\x00\x00" + t.Value) }

// ErrNoText is returned for data that is not a PNG file with the requested
// text.
var ErrNoText = errors.New("stripng: no such text")

// ReadText returns the text of at most limit bytes that [Write] wrote to a PNG
// file under a keyword. It reads the file chunk by chunk up to that text and
// retains nothing else. The error is [ErrNoText] or that of r.
func ReadText(r io.Reader, keyword string, limit int) (string, error) {
	var head [8]byte
	if _, err := io.ReadFull(r, head[:]); err != nil || string(head[:]) != signature {
		return "", noText(err)
	}
	prefix := Text{Keyword: keyword}.chunk()
	for {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return "", noText(err)
		}
		size := int64(binary.BigEndian.Uint32(head[:]))
		if string(head[4:]) == textChunk && size <= int64(len(prefix)+limit) {
			data := make([]byte, size+4)
			if _, err := io.ReadFull(r, data); err != nil {
				return "", noText(err)
			}
			value, found := bytes.CutPrefix(data[:size], prefix)
			if found && crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, data[:size]) == binary.BigEndian.Uint32(data[size:]) {
				return string(value), nil
			}
		} else if _, err := io.CopyN(io.Discard, r, size+4); err != nil {
			return "", noText(err)
		}
	}
}

// noText replaces an end of the file by ErrNoText.
func noText(err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrNoText
	}
	return err
}
