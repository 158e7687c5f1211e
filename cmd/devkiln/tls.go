package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// certificate reads what HTTPS is served with, nil for HTTP.
func (c serve) certificate() (*tls.Certificate, error) {
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return nil, errors.New("--tls-cert and --tls-key go together")
	}
	if c.TLSCert == "" {
		return nil, nil
	}
	chain, err := readPEM(c.TLSCert, "CERTIFICATE", "certificate")
	if err != nil {
		return nil, fmt.Errorf("--tls-cert: %w", err)
	}
	key, err := readPEM(c.TLSKey, "PRIVATE KEY", "private key")
	if err != nil {
		return nil, fmt.Errorf("--tls-key: %w", err)
	}
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert and --tls-key: %s", strings.TrimPrefix(err.Error(), "tls: "))
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

// doubt tells of a certificate that clients will not accept at now, "" for none.
func doubt(pair *tls.Certificate, now time.Time) string {
	var leaf *x509.Certificate
	if pair != nil {
		leaf = pair.Leaf
	}
	switch {
	case leaf == nil:
		return ""
	case now.After(leaf.NotAfter):
		return "the certificate of --tls-cert expired at " + minute(leaf.NotAfter)
	case now.Before(leaf.NotBefore):
		return "the certificate of --tls-cert is valid from " + minute(leaf.NotBefore) + " only; is the clock right?"
	}
	return ""
}
