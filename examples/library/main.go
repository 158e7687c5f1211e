// Library uses Devkiln's operations in a program, without any server.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/share"
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

	shares, err := share.New(store.NewMemory(), share.Options{})
	if err != nil {
		return err
	}
	made, err := shares.CreateLog(ctx, "10:00:01 INFO up\n10:00:02 ERROR disk is full\n", share.LogOptions{
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
	fmt.Println(found.Title, found.Format, string(shares.Stats(found)))

	snippet, err := shares.CreateSnippet(ctx, "package main\n\nfunc main() {}\n", share.SnippetOptions{})
	if err != nil {
		return err
	}
	fmt.Println(snippet.Language)
	return nil
}
