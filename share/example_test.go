package share_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

func Example() {
	ctx := context.Background()
	shares, err := share.New(store.NewMemory(), share.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	made, err := shares.CreateLog(ctx, "10:00:01 INFO up\n10:00:02 ERROR disk is full\n", share.LogOptions{
		Title:  "nightly build",
		Expiry: share.Expiry7d,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	log, err := shares.Log(ctx, made.ID)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(log.Title, log.Format, log.Expires.Sub(log.Created))
	// Output: nightly build text 168h0m0s
}

func ExampleService_CreateSnippet() {
	shares, err := share.New(store.NewMemory(), share.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	snippet, err := shares.CreateSnippet(context.Background(), "#!/usr/bin/env python3\nprint('hi')\n", share.SnippetOptions{
		Expiry: share.ExpiryNever,
	})
	fmt.Println(snippet.Language, snippet.Expires.IsZero(), err)
	// Output: python true <nil>
}

func ExampleService_Log_notFound() {
	shares, err := share.New(store.NewMemory(), share.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = shares.Log(context.Background(), "0123456789abcdef")
	fmt.Println(errors.Is(err, share.ErrNotFound))
	// Output: true
}

// Errors of inputs can be printed for people and inspected by programs.
func ExampleLogOptions_Validate() {
	err := share.LogOptions{Expiry: "2h"}.Validate("")
	fmt.Println(err)
	var bad interface{ Invalid() (field, reason string) }
	if errors.As(err, &bad) {
		fmt.Println(bad.Invalid())
	}
	// Output:
	// content: must not be empty
	// expiry: must be one of 1h, 6h, 24h, 7d, 30d, never
	// content too_short
}
