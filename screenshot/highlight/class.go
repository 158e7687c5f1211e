package highlight

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// A Class is the kind of a token, as far as themes distinguish kinds.
type Class uint8

// The classes of tokens.
const (
	ClassText               Class = iota // white space, prose, anything without a class
	ClassName                            // identifiers not known more precisely
	ClassComment                         // comments to the end of the line
	ClassDocComment                      // block and documentation comments
	ClassPreprocessor                    // #include, <?xml ?>
	ClassKeyword                         // if, return, import
	ClassKeywordDeclaration              // func, var, class, let
	ClassKeywordOther                    // other words, such as package and use
	ClassModifier                        // public, static, const after a type
	ClassType                            // int, string, bool
	ClassClass                           // names of classes and exceptions
	ClassClassName                       // names of classes where they are declared
	ClassComponent                       // names of components used as tags
	ClassInherited                       // names of classes that another one extends
	ClassFunction                        // names of functions where they are declared
	ClassCall                            // names of functions where they are called
	ClassBuiltin                         // functions of the language
	ClassDecorator                       // @decorators and annotations
	ClassVariable                        // names recognized as variables: $path, @count
	ClassLanguageVariable                // self, this
	ClassParameter                       // named arguments
	ClassProperty                        // properties and fields
	ClassNamespace                       // packages and modules
	ClassConstant                        // named constants
	ClassBoolean                         // true, nil, None
	ClassNumber
	ClassString
	ClassUnquoted        // strings without quotes: in YAML, and after <<
	ClassImportPath      // strings that name a package
	ClassStringDelimiter // quotes around strings
	ClassInterpolation   // ${ and } around code in strings, %d in formats
	ClassEmbedding       // { and } around code in markup
	ClassStringEscape    // \n, and what is interpolated into strings
	ClassRegexp
	ClassOperator
	ClassAssignment // =, := and the like
	ClassPunctuation
	ClassParenthesis  // around parameters
	ClassOption       // -x and --long of commands
	ClassArgument     // other words after commands
	ClassTag          // of markup
	ClassTagDelimiter // < and > around tags
	ClassAttribute
	ClassCSSProperty // of style sheets
	ClassJSONKey
	ClassLabel
	ClassInserted // lines of a diff
	ClassDeleted  // lines of a diff
	ClassHeading
	ClassEmphasis
	ClassStrong

	// NumClasses is the number of classes.
	NumClasses = iota
)

// classFile has one row per class, in the order of the constants.
//
//go:embed classes.json
var classFile []byte

type classRow struct {
	Name   string
	Tokens []chroma.TokenType // token types of lexers, including their subtypes
	Look   chroma.TokenType   // token type whose style the class has in chroma styles
	Scopes string             // in VS Code grammars, outermost first, unless languages.json has others
}

var classRows = sync.OnceValue(func() (rows [NumClasses]classRow) {
	embeddedJSON(classFile, &rows)
	return rows
})

// embeddedJSON decodes an embedded file. It panics on an error, which every
// test would find.
func embeddedJSON(data []byte, v any) {
	if err := json.Unmarshal(data, v); err != nil {
		panic(err)
	}
}

// String returns the name of the class in theme files and style sheets, such
// as "string-escape".
func (c Class) String() string {
	if c >= NumClasses {
		c = ClassText
	}
	return classRows()[c].Name
}

// UnmarshalText sets c to the class of that name.
func (c *Class) UnmarshalText(name []byte) error {
	rows := classRows()
	i := slices.IndexFunc(rows[:], func(r classRow) bool { return r.Name == string(name) })
	if i < 0 {
		return fmt.Errorf("no class %q", name)
	}
	*c = Class(i)
	return nil
}

// Classes returns all classes, for example to write a style sheet.
func Classes() []Class {
	all := make([]Class, NumClasses)
	for i := range all {
		all[i] = Class(i)
	}
	return all
}

// classOf returns the class of a chroma token type, or else of its subcategory
// or category, or else ClassText.
func (g *grammar) classOf(t chroma.TokenType) Class {
	for _, t := range [...]chroma.TokenType{t, t.SubCategory(), t.Category()} {
		if c, ok := g.tokens[t]; ok {
			return c
		}
		if c, ok := tokenClasses()[t]; ok {
			return c
		}
	}
	return ClassText
}

var tokenClasses = sync.OnceValue(func() map[chroma.TokenType]Class {
	classes := make(map[chroma.TokenType]Class)
	for i, row := range classRows() {
		for _, t := range row.Tokens {
			classes[t] = Class(i)
		}
	}
	return classes
})
