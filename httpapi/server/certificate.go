package server

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"strings"
	"time"
)

// LoadCertificate reads a certificate with its chain and its key, both in PEM.
// Its error has a method Invalid() (field, reason string) that tells whether
// TLSCert or TLSKey is at fault, and what that file holds instead.
func LoadCertificate(certFile, keyFile string) (*tls.Certificate, error) {
	chain, err := readPEM(certFile, "CERTIFICATE", "certificate")
	if err != nil {
		return nil, optionError{"TLSCert", err.Error()}
	}
	key, err := readPEM(keyFile, "PRIVATE KEY", "private key")
	if err != nil {
		return nil, optionError{"TLSKey", err.Error()}
	}
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		reason := fmt.Sprintf("%s does not go with %s: %s", keyFile, certFile, strings.TrimPrefix(err.Error(), "tls: "))
		return nil, optionError{"TLSKey", reason}
	}
	return &pair, nil
}

// readPEM reads a file that has a block of a kind, PRIVATE KEY or RSA PRIVATE
// KEY for instance, which people call by another name.
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

// CertificateWarning tells of a certificate that clients will not accept at now,
// "" for none.
func CertificateWarning(leaf *x509.Certificate, now time.Time) string {
	const minute = "2006-01-02 15:04 UTC"
	switch {
	case leaf == nil:
		return ""
	case now.After(leaf.NotAfter):
		return "the certificate expired at " + leaf.NotAfter.UTC().Format(minute)
	case now.Before(leaf.NotBefore):
		return "the certificate is valid from " + leaf.NotBefore.UTC().Format(minute) + " only; is the clock right?"
	}
	return ""
}
