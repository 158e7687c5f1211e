package main

import (
	"fmt"

	"github.com/devkiln/devkiln/share/logs"
)

// compareCmd says what differs between two logs.
type compareCmd struct {
	Earlier string `arg:"" help:"The earlier log, such as that of a build that passed. At most 256 MiB."`
	Later   string `arg:"" help:"The later log; - is standard input."`
	JSON    bool   `name:"json" help:"Print all groups that differ as JSON."`
}

// Help implements kong.HelpProvider.
func (compareCmd) Help() string {
	return `For example:

    devkiln compare passed.log failed.log

Messages are matched by their shape: times, ids and numbers do not count. Errors
and warnings are printed, with the lines of the log that they are in.`
}

// Run prints what is new and what is gone.
func (c compareCmd) Run(p process) error {
	earlier, err := readLog(p, c.Earlier)
	if err != nil {
		return err
	}
	later, err := readLog(p, c.Later)
	if err != nil {
		return err
	}
	difference := logs.Compare(earlier, later)
	if c.JSON {
		return p.json(difference)
	}
	if err := printGroups(p.stdout, "New:\n", difference.Added); err != nil {
		return err
	}
	if err := printGroups(p.stdout, "Gone:\n", difference.Gone); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%d new, %d gone, %d more or less often, %d the same\n",
		len(difference.Added), len(difference.Gone), len(difference.Changed), difference.Same)
	return err
}
