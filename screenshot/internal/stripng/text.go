package stripng

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
