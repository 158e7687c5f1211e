// Library uses Devkiln's operations in a program, without any server.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/slugify"
	"github.com/devkiln/devkiln/store"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	slug, err := slugify.Make("Crème brûlée & cafés, 1,50 €", slugify.Options{})
	if err != nil {
		return err
	}
	fmt.Println(slug)

	g, err := gradient.New([]string{"#ff7e5f", "#feb47b"}, gradient.Options{Angle: new(120.0)})
	if err != nil {
		return err
	}
	fmt.Println(g.CSS())

	const code = "package main\n\nfunc main() { println(42) }\n"
	picture, err := screenshot.New(code, screenshot.Options{Theme: "night-owl"})
	if err != nil {
		return err
	}
	var png bytes.Buffer
	if err := picture.WritePNG(ctx, &png, screenshot.DefaultScale); err != nil {
		return err
	}
	fmt.Printf("%s in %s, a PNG of %d KB\n", picture.Language, picture.Theme, png.Len()>>10)

	const text = "10:00:01 INFO up\n10:00:02 ERROR disk is full\n"
	fmt.Println(logs.Summarize(text, logs.Options{}).FirstError.Text)

	shares, err := share.New(store.NewMemory(), share.Options{})
	if err != nil {
		return err
	}
	made, err := shares.CreateLog(ctx, text, share.LogOptions{
		Title:  "nightly build",
		Expiry: share.Expiry7d,
	})
	if err != nil {
		return err
	}
	found, err := shares.Log(ctx, made.ID)
	if err != nil {
		return err
	}
	fmt.Println(found.Title, found.Format, string(found.Statistics()))

	snippet, err := shares.CreateSnippet(ctx, code, share.SnippetOptions{})
	if err != nil {
		return err
	}
	fmt.Println(snippet.Language)
	return nil
}
