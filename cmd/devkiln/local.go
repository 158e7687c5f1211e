package main

// local is the commands that call the packages in this process. One that is
// but a few lines stands here, behind the table; the others have a file each.
type local struct {
	Analyze    analyzeCmd    `cmd:"" storeless:"" group:"Without a server:" help:"Say what went wrong in a log."`
	Compare    compareCmd    `cmd:"" storeless:"" group:"Without a server:" help:"Say what is new and what is gone since an earlier log."`
	Gradient   gradientCmd   `cmd:"" storeless:"" group:"Without a server:" help:"Print a CSS gradient."`
	Slug       slugCmd       `cmd:"" storeless:"" group:"Without a server:" help:"Print slugs."`
	Screenshot screenshotCmd `cmd:"" storeless:"" group:"Without a server:" help:"Draw a picture of code."`
}
