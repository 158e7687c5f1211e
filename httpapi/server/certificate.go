package server

import (
	"bytes"
	"context"
	"crypto/tls"
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
	current           atomic.Pointer[tls.Certificate]
}

// LoadCertificate reads a certificate and its key, both in PEM. Its error has a
// method Invalid() (field, reason string), which returns TLSCert or TLSKey as
// the field.
func LoadCertificate(certFile, keyFile string) (*Certificate, error) {
	c := &Certificate{certFile: certFile, keyFile: keyFile}
	if _, err := c.reload(); err != nil {
		return nil, err
	}
	return c, nil
}

// reload reads the files again and reports whether there is a new certificate. If they
// cannot be used, the certificate remains unchanged.
func (c *Certificate) reload() (changed bool, err error) {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		if key, _ := os.ReadFile(c.keyFile); bytes.Contains(key, []byte("ENCRYPTED")) {
			return false, &invalid.Fault{Field: "TLSKey", Reason: "invalid_format", Message: c.keyFile + " is encrypted; write it without a passphrase, readable by the server's user alone"}
		}
		message := fmt.Sprintf("%s with the key %s: %s", c.certFile, c.keyFile, strings.TrimPrefix(err.Error(), "tls: "))
		return false, &invalid.Fault{Field: "TLSCert", Reason: "invalid_format", Message: message}
	}
	old := c.current.Swap(&pair)
	return old == nil || !old.Leaf.Equal(pair.Leaf), nil
}

// Warning returns why clients will not accept the certificate at now, or "" if
// they will.
func (c *Certificate) Warning(now time.Time) string {
	const minute = "2006-01-02 15:04 UTC"
	leaf := c.current.Load().Leaf
	switch {
	case now.After(leaf.NotAfter):
		return "the certificate expired at " + leaf.NotAfter.UTC().Format(minute)
	case now.Before(leaf.NotBefore):
		return "the certificate is valid from " + leaf.NotBefore.UTC().Format(minute) + " only; is the clock right?"
	}
	return ""
}

// notAfter returns the time at which the certificate expires.
func (c *Certificate) notAfter() time.Time { return c.current.Load().Leaf.NotAfter }

// config returns a configuration that serves the current certificate.
func (c *Certificate) config() *tls.Config {
	return &tls.Config{
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current.Load(), nil },
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

// reloadCertificate reads the files of the certificate again, if there is one.
func (s *Server) reloadCertificate(ctx context.Context) error {
	if s.options.Certificate == nil {
		return nil
	}
	changed, err := s.options.Certificate.reload()
	if err != nil {
		return fmt.Errorf("the old certificate is still served: %w", err)
	}
	if changed {
		s.log.InfoContext(ctx, "certificate reloaded", "expires", s.options.Certificate.notAfter())
	}
	return nil
}
