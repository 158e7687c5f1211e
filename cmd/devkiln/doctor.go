package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/devkiln/devkiln/httpapi/server"
)

// doctorCmd looks at what the server needs.
type doctorCmd struct {
	serve
	JSON bool `name:"json" help:"Print check, severity, found and do of each as JSON."`
}

// Help implements kong.HelpProvider.
func (doctorCmd) Help() string {
	return `It takes the flags and variables of serve, and says of each check ok, warning or error, and what to do. The exit code is 1 if there is an
error. The server may be running meanwhile:

    devkiln doctor --store sqlite:/var/lib/devkiln/devkiln.db --base-url https://kiln.example`
}

// Run looks at everything that the server would have.
func (c doctorCmd) Run(ctx context.Context, p process, storeURL string) error {
	set, err := c.settings(p.env)
	if err != nil {
		return usageError{err}
	}
	set.Log = slog.New(slog.DiscardHandler)
	set.limitMemory(ctx)
	if c.SystemFonts {
		set.addSystemFonts(ctx)
	}
	setup := server.Setup{Options: set.Options, Listen: c.Listen}
	if err := openForDoctor(ctx, &setup, storeURL); err != nil {
		return err
	}
	err = c.print(p, server.Diagnose(ctx, setup))
	if setup.Backend != nil {
		err = errors.Join(err, setup.Backend.Close())
	}
	return err
}

// openForDoctor opens the store beside a server that may have it.
func openForDoctor(ctx context.Context, setup *server.Setup, storeURL string) error {
	if err := checkStoreURL(storeURL); err != nil {
		return usageError{err}
	}
	if path, ok := sqlitePath(storeURL); ok {
		setup.Folder = filepath.Dir(path)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	backend, err := openBackend(ctx, storeURL, backendOptions{companion: true})
	if setup.StoreError = err; err == nil {
		setup.Backend = backend
	}
	return nil
}

// print shows what was found, and returns an error that counts the errors.
func (c doctorCmd) print(p process, findings []server.Finding) (err error) {
	if c.JSON {
		err = p.json(findings)
	}
	bad := 0
	for _, f := range findings {
		if f.Severity == server.Error {
			bad++
		}
		if !c.JSON && err == nil {
			_, err = fmt.Fprintf(p.stdout, "%-7s  %-11s  %s\n", f.Severity, f.Check, f.Found)
		}
		if !c.JSON && f.Do != "" && err == nil {
			_, err = fmt.Fprintf(p.stdout, "%22s%s\n", "", f.Do)
		}
	}
	if err == nil && bad > 0 {
		err = fmt.Errorf("%d of %d checks found an error", bad, len(findings))
	}
	return err
}
