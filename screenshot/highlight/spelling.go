package highlight

import "github.com/devkiln/devkiln/internal/language"

// spelling says what the spelling of code in a language tells.
type spelling uint32

const (
	capitalIsClass   spelling = 1 << iota // Names of types begin with a capital
	escapes                               // "\n" and '\n' are escapes
	arrows                                // => makes a function, from comes before a module
	dataKeys                              // tags are the keys of data
	styleSheet                            // keywords are properties of a style sheet
	markup                                // < and > are brackets
	generics                              // what looks like a tag is a type in angle brackets
	rawStrings                            // R"(…)", r#"…"# or #"…"# are strings without escapes
	flows                                 // {a: 1, b: [x]} is data within a line
	modernCpp                             // newKeywords are keywords
	modifiers                             // modifierWords are modifiers
	docstrings                            // a string may be documentation
	calls                                 // calls of functions look unlike their definitions
	keywordArguments                      // f(name=value)
	scopeOperator                         // name:: is a namespace
	staticReceivers                       // Name. is a value of a class
	typesFollow                           // name Type
	elements                              // <tags> may stand in code
	commands                              // words are commands and arguments
	sql
)

func spellingOf(lang string) spelling {
	name, _ := language.Lookup(lang)
	switch name {
	case "typescript":
		return capitalIsClass | escapes | arrows | generics | modifiers | elements
	case "jsx", "javascript":
		return capitalIsClass | escapes | arrows | modifiers | elements
	case "vue", "svelte":
		return capitalIsClass | escapes | arrows
	case "java":
		return capitalIsClass | escapes | modifiers | staticReceivers
	case "c#", "kotlin", "dart", "scala", "groovy":
		return capitalIsClass | escapes | modifiers
	case "rust":
		return capitalIsClass | escapes | rawStrings | modifiers | scopeOperator
	case "swift":
		return capitalIsClass | escapes | rawStrings | modifiers
	case "c++":
		return capitalIsClass | escapes | rawStrings | modernCpp | modifiers | scopeOperator
	case "python":
		return docstrings | calls | keywordArguments
	case "ruby", "php", "haskell", "elixir":
		return capitalIsClass
	case "go":
		return escapes | typesFollow
	case "c", "zig", "lua":
		return escapes
	case "bash":
		return commands
	case "sql", "mysql", "postgresql sql dialect", "pl/pgsql":
		return sql
	case "json":
		return dataKeys | escapes
	case "yaml":
		return dataKeys | flows
	case "toml":
		return dataKeys
	case "css", "scss", "sass", "less", "stylus":
		return styleSheet
	case "html", "xml", "markdown":
		return markup
	default:
		return 0
	}
}
