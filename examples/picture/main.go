// Picture draws its own source as a PNG on standard output:
//
//	go run ./examples/picture >picture.png
package main

import (
	"context"
	_ "embed"
	"io"
	"log"
	"os"

	"github.com/devkiln/devkiln/screenshot"
)

//go:embed main.go
var source string

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	config, err := screenshot.New(source, screenshot.Options{Theme: "night-owl", WindowTitle: "main.go"})
	if err != nil {
		return err
	}
	return config.WritePNG(ctx, out, 2)
}
