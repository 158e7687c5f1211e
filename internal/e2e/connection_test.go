package e2e_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// one is a listener that accepts the connections sent on a channel.
type one struct{ conns chan net.Conn }

// Accept implements net.Listener.
func (l *one) Accept() (net.Conn, error) {
	conn, ok := <-l.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

// Close implements net.Listener.
func (*one) Close() error { return nil }

// Addr implements net.Listener.
func (*one) Addr() net.Addr { return &net.TCPAddr{} }

// receive reads a whole response from a connection.
func receive(t *testing.T, conn net.Conn, r *http.Request) (answer http.Response, body []byte) {
	t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(conn), r)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	require.NoError(t, err)
	return *response, body
}
