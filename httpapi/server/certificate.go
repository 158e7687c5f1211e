package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/devkiln/devkiln/internal/invalid"
)

// Certificate is a certificate with its chain and its key, in two files that
// are read again when they change. Open connections keep their certificate. It
// is safe for concurrent use.
type Certificate struct {
	certFile, keyFile string
	current           atomic.Pointer[loaded]
}

// loaded is the content of the files when they were last read.
type loaded struct {
	chain, key []byte
	pair       tls.Certificate
}

// LoadCertificate reads a certificate and its key, both in PEM. Its error has a
// method Invalid() (field, reason string), which returns TLSCert or TLSKey as
// the field, and says what that file contains instead.
func LoadCertificate(certFile, keyFile string) (*Certificate, error) {
	c := &Certificate{certFile: certFile, keyFile: keyFile}
	if _, err := c.Reload(); err != nil {
		return nil, err
	}
	return c, nil
}

// Reload reads the files again and reports whether they had changed. If they
// cannot be used, the certificate remains unchanged.
func (c *Certificate) Reload() (changed bool, err error) {
	chain, err := readPEM(c.certFile, "CERTIFICATE", "certificate")
	if err != nil {
		return false, &invalid.Input{Field: "TLSCert", Reason: "invalid_format", Message: err.Error()}
	}
	key, err := readPEM(c.keyFile, "PRIVATE KEY", "private key")
	if err != nil {
		return false, &invalid.Input{Field: "TLSKey", Reason: "invalid_format", Message: err.Error()}
	}
	if now := c.current.Load(); now != nil && bytes.Equal(now.chain, chain) && bytes.Equal(now.key, key) {
		return false, nil
	}
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		message := fmt.Sprintf("%s does not match %s: %s", c.keyFile, c.certFile, strings.TrimPrefix(err.Error(), "tls: "))
		return false, &invalid.Input{Field: "TLSKey", Reason: "invalid_format", Message: message}
	}
	c.current.Store(&loaded{chain, key, pair})
	return true, nil
}

// Warning returns why clients will not accept the certificate at now, or "" if
// they will.
func (c *Certificate) Warning(now time.Time) string {
	const minute = "2006-01-02 15:04 UTC"
	leaf := c.current.Load().pair.Leaf
	switch {
	case now.After(leaf.NotAfter):
		return "the certificate expired at " + leaf.NotAfter.UTC().Format(minute)
	case now.Before(leaf.NotBefore):
		return "the certificate is valid from " + leaf.NotBefore.UTC().Format(minute) + " only; is the clock right?"
	}
	return ""
}

// NotAfter returns the time at which the certificate expires.
func (c *Certificate) NotAfter() time.Time { return c.current.Load().pair.Leaf.NotAfter }

// config returns a configuration that serves the current certificate.
func (c *Certificate) config() *tls.Config {
	return &tls.Config{
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &c.current.Load().pair, nil },
		CipherSuites:   cipherSuites,
	}
}

// cipherSuites are those of TLS 1.2 without CBC, the ones that RFC 7540 permits
// for HTTP/2. TLS 1.3 has its own.
var cipherSuites = []uint16{
	tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
	tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
	tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
}

// reloadEvery is how often the certificate files are read, and thus the maximum
// delay until a renewed one is served.
const reloadEvery = 10 * time.Second

// watchCertificate reloads the certificate, if there is one, and records its
// expiry until ctx is done. It logs an error once.
func (s *Server) watchCertificate(ctx context.Context) error {
	if s.options.Certificate == nil {
		return nil
	}
	ticker := time.NewTicker(reloadEvery)
	defer ticker.Stop()
	logged := ""
	for {
		if s.options.Metrics != nil {
			s.options.Metrics.RecordCertificate(s.options.Certificate.NotAfter())
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		changed, err := s.options.Certificate.Reload()
		switch {
		case err != nil && err.Error() != logged:
			logged = err.Error()
			s.log.WarnContext(ctx, "certificate not reloaded, the old one is still served", "error", err)
		case changed:
			logged = ""
			s.log.InfoContext(ctx, "certificate reloaded", "expires", s.options.Certificate.NotAfter())
		}
	}
}

// readPEM reads a file with a PEM block whose type ends with kind, such as
// PRIVATE KEY or RSA PRIVATE KEY. called is its name for people.
func readPEM(file, kind, called string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if len(text) == 0 {
		return nil, fmt.Errorf("%s is empty", file)
	}
	var others []string
	for rest := text; ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if block.Type == "ENCRYPTED PRIVATE KEY" || block.Headers["DEK-Info"] != "" {
			return nil, fmt.Errorf("%s is encrypted; write it without a passphrase, readable by the server's user alone", file)
		}
		if strings.HasSuffix(block.Type, kind) {
			return text, nil
		}
		others = append(others, block.Type)
	}
	if len(others) > 0 {
		return nil, fmt.Errorf("%s holds no %s in PEM, but %s", file, called, strings.Join(others, ", "))
	}
	return nil, fmt.Errorf("%s holds no %s in PEM", file, called)
}
