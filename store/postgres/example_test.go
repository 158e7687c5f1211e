package postgres_test

import (
	"context"
	"fmt"
	"time"

	"github.com/devkiln/devkiln/store/postgres"
)

func Example() {
	ctx := context.Background()
	url := "postgres://devkiln:password@db1,db2,db3/devkiln?target_session_attrs=read-write"
	db, err := postgres.Open(ctx, url, postgres.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	if err := db.Create(ctx, "greeting", []byte("hello"), time.Now().Add(time.Hour)); err != nil {
		fmt.Println(err)
		return
	}
	value, err := db.Get(ctx, "greeting")
	fmt.Printf("%s %v\n", value, err)
}
