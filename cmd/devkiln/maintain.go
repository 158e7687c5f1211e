package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

// page is how many entries are read from a store at once.
const page = 1000

type checkCmd struct{}

// Run looks at every entry of the store.
func (checkCmd) Run(ctx context.Context, p process, storeURL string) error {
	return withBackend(ctx, storeURL, func(backend store.Backend) error {
		if db, ok := backend.(*sqlite.DB); ok {
			if err := db.Check(ctx); err != nil {
				return err
			}
		}
		entries, shares, err := verify(ctx, backend, p.stderr)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "The store is sound: %d entries, %d of them shares.\n", entries, shares)
		return err
	})
}

// verify unpacks every share. It names the damaged ones and returns an error
// that counts them.
func verify(ctx context.Context, backend store.Backend, stderr io.Writer) (entries, shares int, err error) {
	service := share.New(backend, share.Options{})
	damaged, after := 0, ""
	meter := newProgress(stderr, "checked")
	defer meter.end()
	for {
		list, err := backend.List(ctx, "", after, page)
		if err != nil {
			return entries, shares, err
		}
		for _, e := range list {
			after = e.Key
			entries++
			meter.add(len(e.Value))
			if !share.IsKey(e.Key) {
				continue
			}
			shares++
			if err := service.Verify(e.Value); err != nil {
				damaged++
				_, _ = fmt.Fprintf(stderr, "%s: %v\n", e.Key, err)
			}
		}
		if len(list) < page {
			break
		}
	}
	if damaged > 0 {
		err = fmt.Errorf("%d of %d shares are damaged", damaged, shares)
	}
	return entries, shares, err
}

type backupCmd struct {
	File string `arg:"" help:"The file to write. It must not exist."`
}

// Run copies the store into a file while a server may be writing.
func (c backupCmd) Run(ctx context.Context, p process, storeURL string) error {
	return withBackend(ctx, storeURL, func(backend store.Backend) error {
		db, ok := backend.(*sqlite.DB)
		if !ok {
			return usageError{errors.New("backup is for SQLite stores; use export for others")}
		}
		if err := db.Backup(ctx, c.File); err != nil {
			return err
		}
		_, err := fmt.Fprintf(p.stdout, "The store is in %s. Go back to it with: devkiln restore %[1]s\n", c.File)
		return err
	})
}

type restoreCmd struct {
	File string `arg:"" help:"The backup. No server may be running on the store."`
}

// Run replaces the store by a backup.
func (c restoreCmd) Run(ctx context.Context, p process, storeURL string) error {
	path, ok := sqlitePath(storeURL)
	if !ok {
		return usageError{errors.New("restore is for SQLite stores; use import for others")}
	}
	if err := sqlite.Restore(ctx, path, c.File); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.stdout, "%s is what %s was.\n", path, c.File)
	return err
}

type exportCmd struct {
	File string `arg:"" optional:"" help:"The file to write; it must not exist. Default: standard output."`
}

// Run writes every entry as JSON lines.
func (c exportCmd) Run(ctx context.Context, p process, storeURL string) error {
	return withBackend(ctx, storeURL, func(backend store.Backend) (err error) {
		out := p.stdout
		if c.File != "" {
			f, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, f.Sync(), f.Close()) }()
			out = f
		}
		meter := newProgress(p.stderr, "exported")
		n, err := store.Export(ctx, meter.writer(out), backend)
		meter.end()
		_, _ = fmt.Fprintf(p.stderr, "%d entries exported.\n", n)
		return err
	})
}

type importCmd struct {
	File string `arg:"" optional:"" help:"The export to read. Default: standard input."`
}

// Run puts the entries of an export into the store.
func (c importCmd) Run(ctx context.Context, p process, storeURL string) error {
	backend, err := openBackend(ctx, storeURL, backendOptions{})
	if err != nil {
		return err
	}
	n, err := c.read(ctx, p, backend)
	_, _ = fmt.Fprintf(p.stderr, "%d entries imported.\n", n)
	return errors.Join(err, backend.Close())
}

func (c importCmd) read(ctx context.Context, p process, backend store.Backend) (int, error) {
	meter := newProgress(p.stderr, "imported")
	defer meter.end()
	if c.File == "" {
		return store.Import(ctx, backend, meter.reader(p.stdin))
	}
	f, err := os.Open(c.File)
	if err != nil {
		return 0, err
	}
	n, err := store.Import(ctx, backend, meter.reader(f))
	return n, errors.Join(err, f.Close())
}

// withBackend opens the store beside a server, calls use and closes the store.
func withBackend(ctx context.Context, storeURL string, use func(store.Backend) error) error {
	backend, err := openBackend(ctx, storeURL, backendOptions{companion: true})
	if err != nil {
		return err
	}
	return errors.Join(use(backend), backend.Close())
}

// sqlitePath returns the path in a URL of a SQLite store.
func sqlitePath(storeURL string) (path string, ok bool) {
	scheme, path, _ := strings.Cut(storeURL, ":")
	return path, (scheme == "sqlite" || scheme == "file") && path != ""
}
