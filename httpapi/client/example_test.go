package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// exampleServer starts a Devkiln server, which runs until shutdown is called.
func exampleServer() (url, key string, shutdown func(), err error) {
	const static = "a-key-for-these-examples"
	backend := store.NewMemory()
	keys, err := apikey.New(backend, static)
	if err != nil {
		return "", "", nil, err
	}
	shares, err := share.New(backend, share.Options{})
	if err != nil {
		return "", "", nil, err
	}
	handler, err := httpapi.New(httpapi.Options{Shares: shares, Keys: keys})
	if err != nil {
		return "", "", nil, err
	}
	server := httptest.NewServer(handler)
	return server.URL, static, server.Close, nil
}

func Example() {
	url, key, shutdown, err := exampleServer()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer shutdown()

	api, err := client.New(url, key, client.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	made, err := api.ShareLog(ctx, client.LogRequest{Content: "03:00:02 ERROR disk is full", Expiry: "never"})
	if err != nil {
		fmt.Println(err)
		return
	}
	log, err := api.Log(ctx, made.ID)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(log.Content)
	// Output: 03:00:02 ERROR disk is full
}

func ExampleError() {
	url, key, shutdown, err := exampleServer()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer shutdown()

	api, err := client.New(url, key, client.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = api.Gradient(context.Background(), client.GradientRequest{Colors: []string{"red", "#0000ff"}})
	if refused, ok := errors.AsType[*client.Error](err); ok {
		for _, f := range refused.Fields {
			fmt.Println(f.Field, f.Code)
		}
	}
	// Output: colors[0] invalid_format
}
