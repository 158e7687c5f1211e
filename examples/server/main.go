// Server runs the whole of Devkiln until it is interrupted. Serve writes counts,
// removes expired entries and shuts down in order. The example of package httpapi
// serves the API in a mux, beside a route of the program's own.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/signal"

	"github.com/devkiln/devkiln/httpapi/server"
	"github.com/devkiln/devkiln/store"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout)
	stop()
	if err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, stdout io.Writer) error {
	s, err := server.New(server.Options{Backend: store.NewMemory()})
	if err != nil {
		return err
	}
	key, _, err := s.Bootstrap(ctx)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stdout, "http://%s with the key %s\n", listener.Addr(), key)
	return s.Serve(ctx, listener)
}
