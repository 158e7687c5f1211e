package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/devkiln/devkiln/store/sqlite"
)

func Example() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	ctx := context.Background()

	db, err := sqlite.Open(ctx, filepath.Join(folder, "shares.db"), sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()

	// Once Create returns, the entry outlives a power cut.
	if err := db.Create(ctx, "greeting", []byte("hello"), time.Now().Add(time.Hour)); err != nil {
		fmt.Println(err)
		return
	}
	value, err := db.Get(ctx, "greeting")
	fmt.Printf("%s %v\n", value, err)
	// Output: hello <nil>
}

func ExampleDB_Backup() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	ctx := context.Background()
	path, copied := filepath.Join(folder, "shares.db"), filepath.Join(folder, "copy.db")

	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = db.Put(ctx, "key", []byte("value"), time.Time{})
	fmt.Println("backup:", db.Backup(ctx, copied))
	_ = db.Delete(ctx, "key")
	_ = db.Close()

	replaced, err := sqlite.Restore(ctx, path, copied)
	fmt.Println("restore:", filepath.Base(replaced), err)
	db, err = sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	value, err := db.Get(ctx, "key")
	fmt.Printf("%s %v\n", value, err)
	// Output:
	// backup: <nil>
	// restore: shares.db.before-restore <nil>
	// value <nil>
}
