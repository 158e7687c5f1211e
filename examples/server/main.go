// Server runs the whole of Devkiln beside a route of its own until it is
// interrupted. Devkiln takes every path that the mux gives to nothing else. To
// mount it below a path instead, set Options.BaseURL to a URL with that path, and
// do not strip it. A program without routes of its own calls Serve, which does
// all of this.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

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
	devkiln, err := server.New(server.Options{Backend: store.NewMemory()})
	if err != nil {
		return err
	}
	key, _, err := devkiln.Bootstrap(ctx)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/", devkiln)
	mux.HandleFunc("GET /hello", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello\n") })

	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stdout, "http://%s with the key %s\n", listener.Addr(), key)
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	maintained, served := make(chan error, 1), make(chan error, 1)
	go func() { maintained <- devkiln.Maintain(background) }()
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { served <- web.Serve(listener) }()
	select {
	case err = <-served:
	case <-ctx.Done():
		err = web.Shutdown(background)
	}
	stop() // what the last requests counted is stored now
	return errors.Join(err, <-maintained)
}
