package language

import (
	"path/filepath"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// Text is the name of plain text: prose, logs, and code that nothing fits.
const Text = "text"

// maxNameBytes bounds what Lookup reads; the longest name of chroma has half.
const maxNameBytes = 64

// entry is one language as chroma has it, under our canonical name.
type entry struct {
	name  string
	lexer chroma.Lexer
}

// renamed maps chroma's names, in lower case, to better known ones.
var renamed = [...]struct{ chroma, name string }{
	{"docker", "dockerfile"},
	{"plaintext", Text},
	{"react", "jsx"},
	{"protocol buffer", "protobuf"},
	{"viml", "vim"},
	{"batchfile", "batch"},
	{"emacslisp", "emacs-lisp"},
	{"nginx configuration file", "nginx"},
}

// extraAliases are names in everyday use that chroma does not know. They never
// take a name away from chroma.
var extraAliases = [...]struct{ name, aliases string }{
	{Text, "txt log logs none ascii prose output"},
	{"bash", "shellscript dash profile bashrc zshrc env dotenv"},
	{"bash-session", "terminal shellsession"},
	{"batch", "cmd dos"},
	{"c", "h ansi-c c99 c11"},
	{"c#", "cs cshtml razor dotnet"},
	{"c++", "cc cxx hh hpp hxx cplusplus cuda cu"},
	{"arduino", "ino"},
	{"clojure", "cljs cljc edn"},
	{"css", "css3"},
	{"dart", "flutter"},
	{"diff", "patch"},
	{"emacs-lisp", "el"},
	{"erlang", "erl"},
	{"fsharp", "f# fs fsx"},
	{"groovy", "gradle jenkinsfile"},
	{"handlebars", "mustache"},
	{"html", "htm html5 xhtml"},
	{"ini", "conf config editorconfig gitconfig"},
	{"javascript", "node nodejs mjs cjs es es6 ecmascript"},
	{"json", "json5 jsonc ndjson geojson webmanifest"},
	{"jsx", "javascriptreact"},
	{"kotlin", "kt kts"},
	{"makefile", "mk gnumake"},
	{"mathematica", "wolfram"},
	{"objectpascal", "pascal pas delphi"},
	{"objective-c", "objectivec++ objective-c++ objc++ objcpp mm"},
	{"ocaml", "ml mli"},
	{"perl", "pm perl5"},
	{"php", "php7 php8"},
	{"python", "bazel bzl ipython pyi"},
	{"r", "rscript"},
	{"reasonml", "re"},
	{"ruby", "irb gemfile rakefile"},
	{"rust", "rustlang"},
	{"scala", "sbt"},
	{"sql", "sqlite plsql"},
	{"stylus", "styl"},
	{"typescript", "mts cts typescriptreact"},
	{"vb.net", "vb visualbasic visual-basic vba vbscript"},
	{"vim", "vimscript"},
	{"xml", "rss atom svg xsl xslt xsd wsdl plist"},
	{"yaml", "yml"},
	{"zig", "ziglang"},
}

// index maps every name and alias, folded, to its language. Where two
// lexers claim a word, the one that has it as its name wins, then the one that
// was registered last, as in chroma itself.
var index = sync.OnceValue(func() map[string]*entry {
	registered := lexers.GlobalLexerRegistry.Lexers
	m := make(map[string]*entry, 4*len(registered))
	add := func(alias string, e *entry) {
		if alias = fold(alias); m[alias] == nil {
			m[alias] = e
		}
	}
	entries := make([]entry, len(registered))
	for i, l := range registered {
		entries[i] = entry{name: canonical(l.Config()), lexer: l}
		add(l.Config().Name, &entries[i])
	}
	for i := range entries {
		e := &entries[len(entries)-1-i]
		for _, alias := range e.lexer.Config().Aliases {
			add(alias, e)
		}
	}
	for i := range entries {
		add(entries[i].name, &entries[i])
	}
	for _, x := range extraAliases {
		for alias := range strings.FieldsSeq(x.aliases) {
			add(alias, m[x.name])
		}
	}
	return m
})

// canonical returns the name that we give to a lexer: chroma's in lower case,
// or its first alias where that name has blanks or slashes.
func canonical(c *chroma.Config) string {
	name := strings.ToLower(c.Name)
	for _, r := range renamed {
		if r.chroma == name {
			return r.name
		}
	}
	if !strings.ContainsAny(name, " /()") {
		return name
	}
	for _, alias := range c.Aliases {
		if !strings.ContainsAny(alias, " /()") {
			return strings.ToLower(alias)
		}
	}
	return strings.ReplaceAll(name, " ", "-")
}

// Lookup returns the canonical name of a language, given any name or alias
// that chroma knows or that is in everyday use (node, yml, golang), in any
// case and with blanks around it. A canonical name is lower-case and finds
// itself. "auto" and "" are not names.
func Lookup(name string) (canonical string, ok bool) {
	e := find(name)
	if e == nil {
		return "", false
	}
	return e.name, true
}

func find(name string) *entry {
	if len(name) > maxNameBytes {
		return nil
	}
	return index()[fold(name)]
}

// fold makes names that differ only in case and outer blanks equal. Upper case
// comes first because the micro sign has no way back from it.
func fold(name string) string {
	return strings.ToLower(strings.ToUpper(strings.TrimSpace(name)))
}

// Lexer returns the lexer of a language given by name or alias, and the plain
// text lexer where the name is unknown. It is never nil. Its tokens are not
// joined (chroma.Coalesce): some lexers give empty tokens without end on the
// wrong text, and only a caller who sees each of them can stop.
func Lexer(name string) chroma.Lexer {
	e := find(name)
	if e == nil {
		e = find(Text)
	}
	return e.lexer
}

// fileExtensions holds the extensions that differ from the first one chroma
// lists.
var fileExtensions = [...]struct{ name, extension string }{
	{"cobol", ".cob"},
	{"dockerfile", ".dockerfile"},
	{"makefile", ".mk"},
	{"objectpascal", ".pas"},
	{"ocaml", ".ml"},
	{"postgresql", ".sql"},
	{"plpgsql", ".sql"},
	{"transact-sql", ".sql"},
	{"prolog", ".pl"},
	{"r", ".R"},
	{"bash-session", ".sh-session"},
}

// Extension returns the usual file name extension of a language given by name
// or alias, with its dot: ".go", ".py". It is ".txt" where the language is
// unknown or has none.
func Extension(name string) string {
	e := find(name)
	if e == nil {
		return ".txt"
	}
	for _, x := range fileExtensions {
		if x.name == e.name {
			return x.extension
		}
	}
	for _, glob := range e.lexer.Config().Filenames {
		if ext := filepath.Ext(glob); "*"+ext == glob && len(ext) > 1 && !strings.ContainsAny(ext[1:], "*?[]\\") {
			return ext
		}
	}
	return ".txt"
}
