// Picture prints the complete configuration of a picture of its own source.
package main

import (
	_ "embed"
	"encoding/json"
	"log"
	"os"

	"github.com/devkiln/devkiln/screenshot"
)

//go:embed main.go
var source string

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	config, err := screenshot.New(source, screenshot.Options{Theme: "night-owl", WindowTitle: "main.go"})
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(config)
}
