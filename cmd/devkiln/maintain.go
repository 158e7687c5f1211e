package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

type checkCmd struct {
	JSON bool `name:"json" help:"Print sound, entries, shares, damaged and fault as JSON, even if the store is damaged."`
}

// finding is the result of a check.
type finding struct {
	Sound   bool     `json:"sound"`
	Entries int      `json:"entries"`
	Shares  int      `json:"shares"`
	Damaged []string `json:"damaged"` // keys of damaged shares
	Fault   string   `json:"fault,omitempty"`
}

// Run checks every entry of the store.
func (c checkCmd) Run(ctx context.Context, p process, storeURL string) error {
	return withBackend(ctx, storeURL, func(backend store.Backend) error {
		found, err := inspect(ctx, backend, p.stderr)
		found.Sound = err == nil
		if err != nil {
			if found.Fault = err.Error(); c.JSON {
				err = errors.Join(p.json(found), err)
			}
			return err
		}
		return p.print(c.JSON, found, "The store is sound: %d entries, %d of them shares.\n", found.Entries, found.Shares)
	})
}

// inspect checks the file of a SQLite store, and the shares of any store.
func inspect(ctx context.Context, backend store.Backend, stderr io.Writer) (finding, error) {
	if db, ok := backend.(*sqlite.DB); ok {
		stop := watch(stderr, "checking the file", nil)
		err := db.Check(ctx)
		stop()
		if err != nil {
			return finding{Damaged: []string{}}, err
		}
	}
	return verify(ctx, backend, stderr)
}

// verify decodes every share. It prints the damaged ones and returns an error
// with their number.
func verify(ctx context.Context, backend store.Backend, stderr io.Writer) (finding, error) {
	found := finding{Damaged: []string{}}
	var read counter
	defer watch(stderr, "checked", read.Load)()
	err := share.Check(ctx, backend, func(f share.Finding) {
		found.Entries++
		read.Add(int64(f.Bytes))
		if f.Share {
			found.Shares++
		}
		if f.Fault != nil {
			found.Damaged = append(found.Damaged, f.Key)
			_, _ = fmt.Fprintf(stderr, "%s: %v\n", f.Key, f.Fault)
		}
	})
	if err != nil {
		return found, err
	}
	if damaged := len(found.Damaged); damaged > 0 {
		return found, fmt.Errorf("%d of %d shares are damaged", damaged, found.Shares)
	}
	return found, nil
}

type backupCmd struct {
	File string `arg:"" help:"The file to write. It must not exist."`
	JSON bool   `name:"json" help:"Print file and bytes as JSON."`
}

// written describes a file that a command has written.
type written struct {
	File    string `json:"file"`
	Bytes   int64  `json:"bytes"`
	Entries *int   `json:"entries,omitempty"`
}

// Run copies the store to a file. A server may be writing to it.
func (c backupCmd) Run(ctx context.Context, p process, storeURL string) error {
	return withBackend(ctx, storeURL, func(backend store.Backend) error {
		db, ok := backend.(*sqlite.DB)
		if !ok {
			return usageError{errors.New("backup is for SQLite stores; use export for others")}
		}
		removePartial(slog.New(slog.NewTextHandler(p.stderr, nil)), c.File)
		stop := watch(p.stderr, "backed up", sizeOfCopy(c.File))
		err := db.Backup(ctx, c.File)
		stop()
		if err != nil {
			return err
		}
		info, err := os.Stat(c.File)
		if err != nil {
			return err
		}
		return p.print(c.JSON, written{File: c.File, Bytes: info.Size()}, "The store is backed up in %s. Restore it with: devkiln restore %[1]s\n", c.File)
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
	JSON bool   `name:"json" help:"Print store, file and replaced, the new name of the replaced file, as JSON."`
}

// Run replaces the store with a backup.
func (c restoreCmd) Run(ctx context.Context, p process, storeURL string) error {
	path, ok := sqlitePath(storeURL)
	if !ok {
		return usageError{errors.New("restore is for SQLite stores; use import for others")}
	}
	removePartial(slog.New(slog.NewTextHandler(p.stderr, nil)), path)
	stop := watch(p.stderr, "checked, and restored", sizeOfCopy(path+".restoring"))
	replaced, err := sqlite.Restore(ctx, path, c.File)
	stop()
	if err != nil {
		return err
	}
	text := path + " has been restored from " + c.File + ".\n"
	if replaced != "" {
		text += "The previous store is now " + replaced + ".\n"
	}
	return p.print(c.JSON, struct {
		Store    string `json:"store"`
		File     string `json:"file"`
		Replaced string `json:"replaced,omitempty"`
	}{path, c.File, replaced}, "%s", text)
}

type exportCmd struct {
	File string `arg:"" optional:"" help:"The file to write; it must not exist. Default: standard output."`
	JSON bool   `name:"json" help:"Print file, bytes and entries as JSON. Requires a file, since the export is otherwise on standard output."`
}

// Run writes every entry as JSON lines.
func (c exportCmd) Run(ctx context.Context, p process, storeURL string) error {
	if c.JSON && c.File == "" {
		return usageError{errors.New("--json needs a FILE; without one, the export itself is on standard output")}
	}
	return withBackend(ctx, storeURL, func(backend store.Backend) error {
		out, done := p.stdout, func(err error) error { return err }
		if c.File != "" {
			f, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if err != nil {
				return err
			}
			out, done = f, func(err error) error { return finish(f, err) }
		}
		var size counter
		stop := watch(p.stderr, "exported", size.Load)
		n, err := store.Export(ctx, io.MultiWriter(out, &size), backend)
		stop()
		if err := done(err); err != nil {
			return err
		}
		if c.JSON {
			return p.json(written{c.File, size.Load(), &n})
		}
		_, _ = fmt.Fprintf(p.stderr, "%d entries exported.\n", n)
		return nil
	})
}

// finish syncs and closes a file, and removes it if anything failed.
func finish(f *os.File, err error) error {
	if err == nil {
		err = f.Sync()
	}
	return closeWhole(f, err)
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
	JSON bool   `name:"json" help:"Print entries, the number of entries added, as JSON."`
}

// Run adds the entries of an export to the store.
func (c importCmd) Run(ctx context.Context, p process, storeURL string) error {
	in := p.stdin
	if c.File != "" {
		f, err := os.Open(c.File)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	backend, err := openBackend(ctx, storeURL, backendOptions{})
	if err != nil {
		return err
	}
	var read counter
	stop := watch(p.stderr, "imported", read.Load)
	n, err := store.Import(ctx, backend, io.TeeReader(in, &read))
	stop()
	err = errors.Join(err, backend.Close())
	if c.JSON {
		return errors.Join(p.json(map[string]int{"entries": n}), err)
	}
	_, _ = fmt.Fprintf(p.stderr, "%d entries imported.\n", n)
	return err
}

// withBackend calls use with a store that a server may have open.
func withBackend(ctx context.Context, storeURL string, use func(store.Backend) error) error {
	backend, err := openBackend(ctx, storeURL, backendOptions{companion: true})
	if err != nil {
		return err
	}
	return errors.Join(use(backend), backend.Close())
}

// sqlitePath returns the path in the URL of a SQLite store.
func sqlitePath(storeURL string) (path string, ok bool) {
	scheme, path, _ := strings.Cut(storeURL, ":")
	return path, (scheme == "sqlite" || scheme == "file") && path != ""
}
