package abuse_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Types and flags of frames of HTTP/2 (RFC 9113, section 6).
const (
	frameHeaders, framePriority, frameReset, frameSettings = 0x1, 0x2, 0x3, 0x4
	flagEndStream, flagEndHeaders                          = 0x1, 0x4
)

// frame appends a frame.
func frame(b []byte, kind, flags byte, stream uint32, payload []byte) []byte {
	b = append(b, byte(len(payload)>>16), byte(len(payload)>>8), byte(len(payload)), kind, flags)
	return append(binary.BigEndian.AppendUint32(b, stream), payload...)
}

// pageFields is the header of a request for a page, without compression (RFC
// 7541, section 6.2.2): GET, https, the host and the path.
const pageFields = "\x82\x87\x01\x09kiln.test\x04\x0e/logs/nonesuch"

// resetBatches are what a client sends again and again, from a stream on.
var resetBatches = map[string]func(b []byte, stream uint32) []byte{
	"resets": resets32,
	"awaited": func(b []byte, stream uint32) []byte {
		return frame(resets32(b, stream), frameHeaders, flagEndStream|flagEndHeaders, stream+64, []byte(pageFields))
	},
	"priority": func(b []byte, stream uint32) []byte { return frame(b, framePriority, 0, stream, make([]byte, 5)) },
}

// resets32 requests a page 32 times, and resets each at once.
func resets32(b []byte, stream uint32) []byte {
	for end := stream + 64; stream < end; stream += 2 {
		b = frame(b, frameHeaders, flagEndStream|flagEndHeaders, stream, []byte(pageFields))
		b = frame(b, frameReset, 0, stream, []byte{0, 0, 0, 8})
	}
	return b
}

// resetStreams is the process of a client: "kind address", with 4 connections,
// each of which is opened again when the server closes it.
func resetStreams(client string) {
	kind, address, _ := strings.Cut(client, " ")
	for range 4 {
		go func() {
			for {
				conn, err := (&tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}}}).DialContext(context.Background(), "tcp", address)
				if err == nil {
					resetOn(conn, kind)
				}
			}
		}()
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // until the test ends
}

// resetOn sends batches until the connection breaks. After one that ends with a
// request it waits for the response.
func resetOn(conn net.Conn, kind string) {
	defer conn.Close()
	responses := make(chan struct{}, 1000)
	go func() {
		defer close(responses)
		in := bufio.NewReader(conn)
		for header := make([]byte, 9); ; {
			if _, err := io.ReadFull(in, header); err != nil {
				return
			}
			if _, err := io.CopyN(io.Discard, in, int64(binary.BigEndian.Uint32(header)>>8)); err != nil {
				return
			}
			if header[3] <= frameHeaders && header[4]&flagEndStream != 0 {
				responses <- struct{}{}
			}
		}
	}()
	batch := frame([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frameSettings, 0, 0, nil)
	for stream := uint32(1); ; stream += 66 {
		if _, err := conn.Write(resetBatches[kind](batch, stream)); err != nil {
			return
		}
		batch = batch[:0]
		if kind != "awaited" {
			continue
		}
		if _, open := <-responses; !open {
			return
		}
	}
}

// startTLS is start with HTTPS.
func startTLS(t *testing.T) *serverProcess {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(t, err)
	key, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	chainFile, keyFile := filepath.Join(t.TempDir(), "chain.pem"), filepath.Join(t.TempDir(), "key.pem")
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})
	require.NoError(t, os.WriteFile(chainFile, chain, 0o600))
	require.NoError(t, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), 0o600))
	k := start(t, "--tls-cert="+chainFile, "--tls-key="+keyFile)
	k.trusted = x509.NewCertPool()
	require.True(t, k.trusted.AppendCertsFromPEM(chain))
	return k
}

// TestResets_leaveTheServerAlive measures the table in
// docs/internals/security.md.
func TestResets_leaveTheServerAlive(t *testing.T) {
	if os.Getenv("DEVKILN_ABUSE") != "1" {
		t.Skip("it takes the whole machine; DEVKILN_ABUSE=1 runs it")
	}
	for _, kind := range []string{"none", "resets", "awaited", "priority"} {
		t.Run(kind, func(t *testing.T) {
			k := startTLS(t)
			if kind != "none" {
				k.attackedBy(t, kind)
			}
			var slugs impact
			ctx, cancel := context.WithTimeout(t.Context(), 6*time.Second)
			defer cancel()
			client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: k.trusted}, ForceAttemptHTTP2: true}}
			pace := time.NewTicker(10 * time.Millisecond)
			defer pace.Stop()
			for i := 0; ctx.Err() == nil; i++ {
				slugs.askOver(ctx, t, client, k, slugOfVictim(i))
				<-pace.C
			}
			require.NotEmpty(t, slugs.took)
			p99 := slugs.p99() // which sorts
			t.Logf("p50 %s, p99 %s of %d slugs, %s of a processor, peak %d MB", slugs.took[len(slugs.took)/2], p99, len(slugs.took), k.processor(t), k.memory("VmHWM")/1e6)
			assert.LessOrEqual(t, p99, 2*maxSlug)
			assert.True(t, k.alive())
			assert.LessOrEqual(t, k.memory("VmHWM")>>20, int64(maxPeak>>20))
		})
	}
}

// attackedBy starts the process of a client, which ends with the test.
func (k *serverProcess) attackedBy(t *testing.T, kind string) {
	t.Helper()
	attacker := exec.CommandContext(t.Context(), os.Args[0])
	attacker.Env = append(os.Environ(), "DEVKILN_RESETS="+kind+" "+k.address)
	_, err := attacker.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, attacker.Start())
	t.Cleanup(func() { _ = attacker.Wait() })
}

// askOver sends a request over a connection that is kept, and records how long
// it takes.
func (f *impact) askOver(ctx context.Context, t *testing.T, client *http.Client, k *serverProcess, r request) {
	t.Helper()
	sent, err := http.NewRequestWithContext(ctx, r.method, "https://"+k.address+r.path, strings.NewReader(r.body))
	require.NoError(t, err)
	sent.Header = http.Header{"X-Api-Key": {r.key}, "Content-Type": {r.contentType}}
	begin := time.Now()
	response, err := client.Do(sent)
	if err == nil {
		_, err = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
	}
	if ctx.Err() != nil {
		return
	}
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	f.took = append(f.took, time.Since(begin))
}
