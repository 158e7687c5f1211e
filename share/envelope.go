package share

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/devkiln/devkiln/share/mask"
	"github.com/devkiln/devkiln/store"
)

// An envelope is the stored form of a share:
//
//	version  1 byte: 1, or 2 for the head of a log whose parts are apart
//	frame    one Zstandard frame of
//	  length   uvarint, of the header in bytes
//	  header   JSON
//	  content  the rest, byte for byte; of a head, the JSON of an index
//
// A reader refuses unknown versions, frames that unpack to more than
// maxUnpacked bytes, and the envelope of another share.
type envelope struct {
	kind    Kind // not stored in the envelope
	header  header
	content string
	index   *index // of the parts; nil if content is the only one

	id    string        // the id to create; "" for a random one
	parts []store.Entry // created together with it
}

// bytes returns the length of the content in bytes.
func (e envelope) bytes() int {
	if e.index != nil {
		return e.index.Bytes
	}
	return len(e.content)
}

const (
	envelopeVersion = 1
	headVersion     = 2
	// maxUnpacked bounds the unpacked size of an envelope in bytes: twice the
	// longest content in four-byte characters, the longest statistics and the
	// longest title.
	maxUnpacked = 2 * (4*MaxLogContent + MaxStatsBytes + 4*MaxLogTitle + 4096)
	// window is the maximum match distance of the compression in bytes. It
	// bounds the memory of an encoder, one of which is kept for each processor.
	window = 1 << 20
)

// header holds all of a share but its content. Its JSON names are on disk: add,
// never rename.
type header struct {
	Info

	Key      string          `json:"key,omitempty"` // key of the share; the first envelopes have none
	Format   Format          `json:"format,omitempty"`
	Language string          `json:"language,omitempty"`
	Stats    json.RawMessage `json:"stats,omitempty"`
}

// Info is what is known of every share. Shares are stored with its JSON names,
// which must not change.
type Info struct {
	ID        string     `json:"-"`
	Title     string     `json:"title,omitempty"`
	Created   time.Time  `json:"created"`          // UTC, to the millisecond
	Expires   time.Time  `json:"expires,omitzero"` // UTC, to the millisecond; zero means never
	Owner     string     `json:"owner,omitempty"`
	Masked    mask.Found `json:"masked,omitempty"`    // what was masked in content and title, see [Options]
	Burn      bool       `json:"burn,omitempty"`      // the share is read once
	Encrypted bool       `json:"encrypted,omitempty"` // the content is for seal.Open
	Replayed  bool       `json:"-"`                   // made by an earlier call with the same idempotency key
}

func newEncoder() *zstd.Encoder {
	e, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(window), zstd.WithLowerEncoderMem(true)) // valid options
	return e
}

func newDecoder() *zstd.Decoder {
	d, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxUnpacked)) // valid options
	return d
}

// pack returns the stored form of e.
func pack(z *zstd.Encoder, e envelope) ([]byte, error) {
	head, err := json.Marshal(e.header)
	if err != nil {
		return nil, err
	}
	version := byte(envelopeVersion)
	if e.index != nil {
		version = headVersion
		content, err := json.Marshal(e.index)
		if err != nil {
			return nil, err
		}
		e.content = string(content)
	}
	plain := make([]byte, 0, binary.MaxVarintLen64+len(head)+len(e.content))
	plain = binary.AppendUvarint(plain, uint64(len(head)))
	plain = append(plain, head...)
	plain = append(plain, e.content...)
	return z.EncodeAll(plain, []byte{version}), nil
}

// unpack returns the envelope that value holds, of the share at key.
func unpack(z *zstd.Decoder, key string, value []byte) (envelope, error) {
	if len(value) == 0 || value[0] != envelopeVersion && value[0] != headVersion {
		return envelope{}, fmt.Errorf("envelope of an unknown version %x", value[:min(len(value), 1)])
	}
	plain, err := z.DecodeAll(value[1:], nil)
	if err != nil {
		return envelope{}, fmt.Errorf("envelope cannot be decompressed: %w", err)
	}
	length, n := binary.Uvarint(plain)
	if n <= 0 || length > uint64(len(plain)-n) {
		return envelope{}, errors.New("envelope without a header")
	}
	head, content := plain[n:n+int(length)], plain[n+int(length):]
	e := envelope{content: string(content)}
	if err := json.Unmarshal(head, &e.header); err != nil {
		return envelope{}, fmt.Errorf("envelope header: %w", err)
	}
	if e.header.Key != "" && e.header.Key != key {
		return envelope{}, fmt.Errorf("envelope of another share, %s", e.header.Key)
	}
	if value[0] == headVersion {
		e.index, e.content = new(index), ""
		if err := json.Unmarshal(content, e.index); err != nil {
			return envelope{}, fmt.Errorf("index of the parts: %w", err)
		}
	}
	return e, nil
}
