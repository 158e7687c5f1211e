package highlight

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// A Class is the kind of a token, as far as themes distinguish kinds. Its value
// is the number of its row in classes.json.
type Class uint8

// The classes that code names.
const (
	classText Class = iota
	classComment
	classDocComment
	classKeyword
	classKeywordDeclaration
	classFunction
	classString
	classImportPath
	classStringDelimiter
	classStringEscape
	classInterpolation
	classOperator
	classPunctuation
	classUnquoted
	classTag
	classTagDelimiter
	className
	classModifier
	ClassInserted
	ClassDeleted

	// numClasses is the number of classes.
	numClasses = 56
)

// classFile has a row for each class, the named ones first.
//
//go:embed classes.json
var classFile []byte

type classRow struct {
	Name   string
	Tokens []chroma.TokenType // token types of lexers, including their subtypes
	Look   chroma.TokenType   // token type whose style the class has in chroma styles
	Scopes string             // in VS Code grammars, outermost first, unless languages.json has others
}

var classRows = sync.OnceValue(func() (rows [numClasses]classRow) {
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
	if c >= numClasses {
		c = classText
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
	all := make([]Class, numClasses)
	for i := range all {
		all[i] = Class(i)
	}
	return all
}

// classOf returns the class of a chroma token type, or else of its subcategory
// or category, or else classText.
func (g *grammar) classOf(t chroma.TokenType) Class {
	for _, t := range [...]chroma.TokenType{t, t.SubCategory(), t.Category()} {
		if c, ok := g.tokens[t]; ok {
			return c
		}
		if c, ok := tokenClasses()[t]; ok {
			return c
		}
	}
	return classText
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
