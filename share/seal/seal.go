// Package seal encrypts shares on the machine of the person who shares them, so
// that the server cannot read what it stores. [Seal] encrypts, [Open] decrypts.
//
//	sealed, key, err := seal.Seal(seal.Share{Kind: "log", Title: "build", Content: text})
//	…
//	share, err := seal.Open("log", sealed, key)
//
// A sealed share is "devkiln1." followed by the base64url encoding (RFC 4648,
// section 5, without padding) of
//
//	nonce    12 random bytes
//	ciphertext and tag  AES-256-GCM (NIST SP 800-38D) of
//	  header   JSON: title and language, without a line feed
//	  0x0a
//	  content  UTF-8, byte for byte
//
// with "devkiln1." and the kind, log or snippet, as additional data: a share
// sealed as one kind does not open as the other. The key is 32 random bytes in
// base64url, new for each share. It goes into the fragment of a link, after the
// #, which browsers do not send. The web pages implement the same format in the
// browser, and testdata/webcrypto.mjs a second time; testdata holds test vectors.
//
// A sealed share reveals its length. It does not prove who sealed it: anyone
// with the key can make another, and a dishonest server can withhold it from
// readers or send them a script that leaks the key.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrKey is returned for a wrong key and for a damaged sealed share, which
// cannot be told apart.
var ErrKey = errors.New("seal: the key does not open this share, or the share is damaged")

// Share is the plaintext of a sealed share.
type Share struct {
	Kind     string // "log" or "snippet"
	Title    string // may be empty
	Language string // language of a snippet; may be empty
	Content  string // UTF-8
}

// header precedes the content. Its JSON names are in existing sealed shares.
type header struct {
	Title    string `json:"title,omitempty"`
	Language string `json:"language,omitempty"`
}

const (
	mark      = "devkiln1."
	keyBytes  = 32
	maxHeader = 16 << 10 // bytes; more than the longest title takes in JSON
	overhead  = 12 + 16  // bytes of nonce and tag
)

var encoding = base64.RawURLEncoding.Strict()

// MaxLength returns the maximum length in bytes of a sealed share whose content
// has this many code points.
func MaxLength(codePoints int) int {
	return len(mark) + encoding.EncodedLen(overhead+maxHeader+utf8.UTFMax*codePoints)
}

// Valid reports whether text has the form of a sealed share.
func Valid(text string) bool {
	_, ok := decode(text)
	return ok
}

// decode decodes the text of a sealed share.
func decode(text string) (sealed []byte, ok bool) {
	text, marked := strings.CutPrefix(text, mark)
	if !marked || strings.ContainsAny(text, "\r\n") {
		return nil, false
	}
	sealed, err := encoding.DecodeString(text)
	return sealed, err == nil && len(sealed) > overhead
}

// newAEAD returns the cipher for a key, which puts its nonce before the
// ciphertext. The error is [ErrKey] for an invalid key.
func newAEAD(key string) (cipher.AEAD, error) {
	secret, err := encoding.DecodeString(key)
	if err != nil || len(secret) != keyBytes || strings.ContainsAny(key, "\r\n") {
		return nil, ErrKey
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// Seal encrypts a share with a new key. It returns an error for another kind,
// and if any text is not valid UTF-8.
func Seal(s Share) (sealed, key string, err error) {
	if s.Kind != "log" && s.Kind != "snippet" {
		return "", "", fmt.Errorf("seal: the kind must be log or snippet, not %q", s.Kind)
	}
	for _, text := range []string{s.Title, s.Language, s.Content} {
		if !utf8.ValidString(text) {
			return "", "", errors.New("seal: the title, the language and the content must be valid UTF-8")
		}
	}
	head, _ := json.Marshal(header{s.Title, s.Language}) // strings always encode
	secret := make([]byte, keyBytes)
	_, _ = rand.Read(secret) // crypto/rand never returns an error
	key = encoding.EncodeToString(secret)
	aead, err := newAEAD(key)
	if err != nil {
		return "", "", err
	}
	plain := append(append(head, '\n'), s.Content...)
	return mark + encoding.EncodeToString(aead.Seal(nil, nil, plain, []byte(mark+s.Kind))), key, nil
}

// Open decrypts a share sealed with this kind. The error is [ErrKey] if it
// cannot be decrypted.
func Open(kind, sealed, key string) (Share, error) {
	aead, err := newAEAD(key)
	if err != nil {
		return Share{}, err
	}
	text, ok := decode(sealed)
	if !ok {
		return Share{}, ErrKey
	}
	plain, err := aead.Open(nil, nil, text, []byte(mark+kind))
	if err != nil {
		return Share{}, ErrKey
	}
	head, content, found := strings.Cut(string(plain), "\n")
	var h header
	if !found || json.Unmarshal([]byte(head), &h) != nil || !utf8.ValidString(content) {
		return Share{}, ErrKey
	}
	return Share{Kind: kind, Title: h.Title, Language: h.Language, Content: content}, nil
}
