package share

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/devkiln/devkiln/internal/bounded"
	"github.com/devkiln/devkiln/share/mask"
)

// An envelope is what a store keeps of a share:
//
//	version  1 byte, envelopeVersion
//	frame    one Zstandard frame of
//	  length   uvarint, of the header in bytes
//	  header   JSON
//	  content  the rest, byte for byte
//
// A reader refuses versions that it does not know and frames that unpack to
// more than maxUnpacked bytes.
type envelope struct {
	header  header
	content string
}

const (
	envelopeVersion = 1
	// maxUnpacked bounds what one envelope may unpack to: the longest content
	// in four-byte characters, the longest statistics and titles, twice over.
	maxUnpacked = 2 * (4*MaxLogContent + MaxStatsBytes + 4*MaxLogTitle + 4096)
	// window is the farthest that compression looks back. It bounds the memory
	// of an encoder, one of which stays warm for each processor.
	window = 1 << 20
)

// header holds everything of a share but its content. Its JSON names are on
// disk: add, never rename.
type header struct {
	Title    string          `json:"title,omitempty"`
	Format   Format          `json:"format,omitempty"`
	Language string          `json:"language,omitempty"`
	Stats    json.RawMessage `json:"stats,omitempty"`
	Created  time.Time       `json:"created"`
	Expires  time.Time       `json:"expires,omitzero"`
	Owner    string          `json:"owner,omitempty"`
	Masked   mask.Found      `json:"masked,omitempty"`
}

func newEncoder() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(window),
		zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic("share: constant encoder options: " + err.Error())
	}
	return e
}

func newDecoder() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxUnpacked))
	if err != nil {
		panic("share: constant decoder options: " + err.Error())
	}
	return d
}

// packer makes envelopes. Its buffers go from one envelope to the next, which
// spares the garbage collector ten times the bytes that are kept.
type packer struct {
	encoder *zstd.Encoder
	buffers sync.Pool // of *buffers
}

type buffers struct{ plain, packed []byte }

// maxBuffer is the longest buffer that waits for another envelope.
const maxBuffer = 64 << 10

// pack returns what a store keeps of e.
func (p *packer) pack(e envelope) ([]byte, error) {
	head, err := json.Marshal(e.header)
	if err != nil {
		return nil, err
	}
	b, found := p.buffers.Get().(*buffers)
	if !found {
		b = new(buffers)
	}
	b.plain = slices.Grow(b.plain[:0], binary.MaxVarintLen64+len(head)+len(e.content))
	b.plain = binary.AppendUvarint(b.plain, uint64(len(head)))
	b.plain = append(b.plain, head...)
	b.plain = append(b.plain, e.content...)
	b.packed = p.encoder.EncodeAll(b.plain, append(b.packed[:0], envelopeVersion))
	value := bytes.Clone(b.packed)
	if max(cap(b.plain), cap(b.packed)) <= maxBuffer {
		p.buffers.Put(b)
	}
	return value, nil
}

func decodeEnvelope(z *zstd.Decoder, value []byte) (envelope, error) {
	if len(value) == 0 || value[0] != envelopeVersion {
		return envelope{}, fmt.Errorf("envelope of an unknown version %x", value[:min(len(value), 1)])
	}
	plain, err := z.DecodeAll(value[1:], nil)
	if err != nil {
		return envelope{}, fmt.Errorf("envelope does not unpack: %w", err)
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
	return e, nil
}

// unpacked remembers envelopes that were read lately, with the values that they
// came from: a value that the store returns again need not be unpacked again.
type unpacked struct {
	mu    sync.Mutex
	known bounded.Map[unpackedValue] // by id
}

type unpackedValue struct {
	value    []byte
	envelope envelope
}

// maxKept is how much is remembered in bytes.
const maxKept = 4 << 20

// forget drops what is remembered of a share that is gone.
func (s *Service) forget(id string) {
	s.unpacked.mu.Lock()
	s.unpacked.known.Delete(id)
	s.unpacked.mu.Unlock()
	s.statistics.mu.Lock()
	s.statistics.known.Delete(id)
	s.statistics.mu.Unlock()
}

// unpack returns the envelope of a value, which is not the caller's to change.
func (s *Service) unpack(id string, value []byte) (envelope, error) {
	s.unpacked.mu.Lock()
	last, ok := s.unpacked.known.Get(id)
	s.unpacked.mu.Unlock()
	if ok && bytes.Equal(last.value, value) {
		return last.envelope, nil
	}
	e, err := decodeEnvelope(s.decoder, value)
	if err != nil {
		return envelope{}, err
	}
	s.unpacked.mu.Lock()
	defer s.unpacked.mu.Unlock()
	s.unpacked.known.Put(id, unpackedValue{value, e}, len(value)+len(e.content)+len(e.header.Stats)+len(e.header.Title))
	return e, nil
}
