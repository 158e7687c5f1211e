// Customstore keeps shares in a store of its own, implemented in folder.go. Its
// test runs storetest on the store.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/devkiln/devkiln/share"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "shares")
	if err != nil {
		return err
	}
	shares, err := share.New(&folder{dir: dir}, share.Options{})
	if err != nil {
		return err
	}
	made, err := shares.CreateSnippet(ctx, "SELECT 1;", share.SnippetOptions{Language: "sql"})
	if err != nil {
		return err
	}
	found, err := shares.Snippet(ctx, made.ID)
	fmt.Println(found.Language, found.Code)
	return errors.Join(err, os.RemoveAll(dir))
}
