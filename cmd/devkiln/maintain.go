package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/postgres"
	"github.com/devkiln/devkiln/store/sqlite"
)

// checkCmd checks the store.
type checkCmd struct{}

// Run checks the file of a SQLite store, and decodes the shares of any store.
func (checkCmd) Run(ctx context.Context, p process, storeURL string) error {
	return withBackend(ctx, storeURL, func(backend store.Backend) error {
		if db, ok := backend.(*sqlite.DB); ok {
			if err := db.Check(ctx); err != nil {
				return err
			}
		}
		entries, shares, damaged := 0, 0, 0
		err := share.Check(ctx, backend, func(f share.Finding) {
			entries++
			if f.Share {
				shares++
			}
			if f.Fault != nil {
				damaged++
				_, _ = fmt.Fprintf(p.stderr, "%s: %v\n", f.Key, f.Fault)
			}
		})
		if err == nil && damaged > 0 {
			err = fmt.Errorf("%d of %d shares are damaged", damaged, shares)
		}
		if err != nil {
			return err
		}
		return p.print("The store is sound: %d entries, %d of them shares.\n", entries, shares)
	})
}

type backupCmd struct {
	File string `arg:"" help:"The file to write. It must not exist."`
}

// Run copies the store to a file. A server may be writing to it.
func (c backupCmd) Run(ctx context.Context, p process, storeURL string) error {
	if c.File == "-" {
		return usageError{errors.New("a backup is a file: give it a name, or use export for standard output")}
	}
	if _, ok := sqlitePath(storeURL); !ok {
		return usageError{errors.New("backup is for SQLite stores; use pg_dump or export for others")}
	}
	return withBackend(ctx, storeURL, func(backend store.Backend) error {
		removePartial(slog.New(slog.NewTextHandler(p.stderr, nil)), c.File)
		if err := backend.(*sqlite.DB).Backup(ctx, c.File); err != nil {
			return err
		}
		return p.print("The store is backed up in %s. To restore it, stop the server and run: devkiln restore %[1]s --store %s\n", c.File, storeURL)
	})
}

// removePartial removes what killed backups and restores have left beside path,
// and says so. It does not matter to the next ones if it cannot.
func removePartial(log *slog.Logger, path string) {
	removed, err := sqlite.RemovePartial(filepath.Dir(path))
	if len(removed) > 0 {
		log.Info("removed what an interrupted backup or restore has left", "files", removed)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		log.Warn("what an interrupted backup or restore has left is not removed", "error", err)
	}
}

type restoreCmd struct {
	File string `arg:"" help:"The backup. No server may be running on the store."`
}

// Run replaces the store with a backup.
func (c restoreCmd) Run(ctx context.Context, p process, storeURL string) error {
	path, ok := sqlitePath(storeURL)
	if !ok {
		return usageError{errors.New("restore is for SQLite stores; use import for others")}
	}
	removePartial(slog.New(slog.NewTextHandler(p.stderr, nil)), path)
	replaced, err := sqlite.Restore(ctx, path, c.File)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s has been restored from %s.\n", path, c.File)
	if replaced != "" {
		_, err = fmt.Fprintf(p.stdout, "The previous store is now %s.\n", replaced)
	}
	return err
}

type exportCmd struct {
	File string `arg:"" optional:"" help:"The file to write; it must not exist. - or no argument means standard output."`
}

// Run writes every entry as JSON lines.
func (c exportCmd) Run(ctx context.Context, p process, storeURL string) error {
	return withBackend(ctx, storeURL, func(backend store.Backend) error {
		out, f := p.stdout, (*os.File)(nil)
		if c.File != "" && c.File != "-" {
			var err error
			if f, err = os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
				return err
			}
			out = f
		}
		n, err := store.Export(ctx, out, backend)
		if f != nil {
			err = closeWhole(f, err)
		}
		if err == nil {
			_, _ = fmt.Fprintf(p.stderr, "%d entries exported.\n", n)
		}
		return err
	})
}

// closeWhole closes a file, and removes it if that or writing it failed.
func closeWhole(f *os.File, err error) error {
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

type importCmd struct {
	File string `arg:"" optional:"" help:"The export to read. Default: standard input."`
}

// Run adds the entries of an export to the store, once it has read the whole
// export: one that is damaged changes nothing.
func (c importCmd) Run(ctx context.Context, p process, storeURL string) error {
	in, err := p.open(c.File)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	export, _ := in.(*os.File)
	if info, err := export.Stat(); err != nil || !info.Mode().IsRegular() { // what is piped cannot be read again
		if export, err = os.CreateTemp("", "devkiln-import-"); err != nil {
			return err
		}
		defer func() { _ = errors.Join(export.Close(), os.Remove(export.Name())) }()
		in = io.NopCloser(io.TeeReader(in, export))
	}
	if _, err := store.Import(ctx, nowhere{}, in); err != nil {
		return fmt.Errorf("%s: %s", cmp.Or(c.File, "standard input"), strings.TrimPrefix(err.Error(), "store: "))
	}
	if _, err := export.Seek(0, io.SeekStart); err != nil {
		return err
	}
	backend, err := openBackend(ctx, storeURL, backendOptions{})
	if err != nil {
		return err
	}
	n, err := store.Import(ctx, backend, export)
	_, _ = fmt.Fprintf(p.stderr, "%d entries imported.\n", n)
	return errors.Join(err, backend.Close())
}

// nowhere is a store for an import that only reads.
type nowhere struct{ store.Backend }

// Put implements [store.Backend].
func (nowhere) Put(context.Context, string, []byte, time.Time) error { return nil }

// withBackend calls use with a store that a server may have open.
func withBackend(ctx context.Context, storeURL string, use func(store.Backend) error) error {
	backend, err := openBackend(ctx, storeURL, backendOptions{companion: true})
	if err != nil {
		return errors.Join(err, notTheService(storeURL))
	}
	return errors.Join(use(backend), backend.Close())
}

// serviceSettings are the settings of the service of the packages, which only
// systemd reads.
const serviceSettings = "/etc/devkiln.env"

// notTheService returns an error that says where the installed service keeps its
// store, if there is one and the URL is the default of other installations.
func notTheService(storeURL string) error {
	if _, err := os.Stat(serviceSettings); err == nil && storeURL == "sqlite:devkiln.db" {
		return fmt.Errorf("the installed service has its own store: DEVKILN_STORE in %s names it, otherwise use --store sqlite:/var/lib/devkiln/devkiln.db", serviceSettings)
	}
	return nil
}

// sqlitePath returns the path in the URL of a SQLite store.
func sqlitePath(storeURL string) (path string, ok bool) {
	scheme, path, _ := strings.Cut(storeURL, ":")
	return path, (scheme == "sqlite" || scheme == "file") && path != ""
}

// backendOptions configures how a store is opened.
type backendOptions struct {
	companion bool  // permits a server to have the store open
	maxBytes  int64 // maximum size; 0 means no limit
}

// checkStoreURL returns an error if the URL does not name a store.
func checkStoreURL(storeURL string) error {
	scheme, rest, found := strings.Cut(storeURL, ":")
	switch {
	case !found:
		return fmt.Errorf("--store %q has no scheme; write sqlite:%[1]s for this file", storeURL)
	case (scheme == "sqlite" || scheme == "file") && rest == "":
		return fmt.Errorf("--store %s: needs the path of a file", storeURL)
	case scheme == "sqlite", scheme == "file", scheme == "postgres", scheme == "postgresql", storeURL == "memory:":
		return nil
	}
	return fmt.Errorf("--store must be sqlite:PATH, file:PATH, postgres://… or memory:, not %q", scheme)
}

// openBackend opens the store that the URL names.
func openBackend(ctx context.Context, storeURL string, o backendOptions) (store.Backend, error) {
	if err := checkStoreURL(storeURL); err != nil {
		return nil, usageError{err}
	}
	if path, ok := sqlitePath(storeURL); ok {
		return sqlite.Open(ctx, path, sqlite.Options{Companion: o.companion, MaxBytes: o.maxBytes})
	}
	if storeURL == "memory:" {
		memory := store.NewMemory()
		memory.MaxBytes = o.maxBytes
		return memory, nil
	}
	return postgres.Open(ctx, storeURL, postgres.Options{MaxBytes: o.maxBytes})
}

// openWhenReachable opens the store of a server. While its database cannot be
// reached, as at the boot of the machine that both are on, it waits and tries
// again until ctx ends.
func openWhenReachable(ctx context.Context, log *slog.Logger, storeURL string, o backendOptions) (store.Backend, error) {
	for wait := time.Second; ; wait = min(2*wait, 5*time.Second) {
		backend, err := openBackend(ctx, storeURL, o)
		_, isFile := sqlitePath(storeURL)
		if isFile || !errors.Is(err, store.ErrUnavailable) {
			return backend, err
		}
		log.WarnContext(ctx, "the store cannot be reached, and is tried again", "wait", wait, "error", err)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), err)
		}
	}
}

// withoutPassword returns the URL of a store without its password.
func withoutPassword(storeURL string) string {
	if strings.HasPrefix(storeURL, "postgres") {
		return postgres.Redact(storeURL)
	}
	return storeURL
}
