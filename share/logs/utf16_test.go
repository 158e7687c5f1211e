package logs_test

import (
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs"
)

// utf16Of returns a text as UTF-16 with its byte order mark.
func utf16Of(order binary.AppendByteOrder, text string) string {
	b := order.AppendUint16(nil, 0xfeff)
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

func TestUTF8_encodings(t *testing.T) {
	text := strings.Repeat("10:00:01 ERROR Gerät 🔥 fehlt\r\n", 1000)
	for _, c := range []struct{ name, log, want string }{
		{"PowerShell", utf16Of(binary.LittleEndian, text), text},
		{"big-endian", utf16Of(binary.BigEndian, text), text},
		{"UTF-8", text, text},
		{"UTF-8 with a mark", "\ufeff" + text, "\ufeff" + text},
		{"half a character", "\xff\xfea\x00b", "a�"},
		{"half of a pair", "\xff\xfe\x3d\xd8a\x00", "�a"},
		{"a mark alone", "\xff\xfe", ""},
		{"half a mark", "\xff", "\xff"},
		{"neither", "a\xff\xfe", "a\xff\xfe"},
		{"nothing", "", ""},
	} {
		got, err := io.ReadAll(logs.UTF8(iotest.HalfReader(strings.NewReader(c.log))))
		require.NoError(t, err)
		assert.Equal(t, c.want, string(got), c.name)
	}
}

func TestUTF8_readerError(t *testing.T) {
	r := io.MultiReader(strings.NewReader("\xff\xfea\x00"), iotest.ErrReader(io.ErrClosedPipe))
	got, err := io.ReadAll(logs.UTF8(r))
	require.ErrorIs(t, err, io.ErrClosedPipe)
	assert.Equal(t, "a", string(got))
}
