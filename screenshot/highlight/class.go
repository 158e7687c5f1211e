package highlight

import "github.com/alecthomas/chroma/v2"

// A Class is what a token of code is, as far as themes tell tokens apart.
type Class uint8

// The classes of tokens.
const (
	ClassText               Class = iota // blanks, prose, anything without a class
	ClassName                            // identifiers that the lexer knows no more about
	ClassComment                         // comments to the end of the line
	ClassDocComment                      // block and documentation comments
	ClassPreprocessor                    // #include, <?xml ?>
	ClassKeyword                         // if, return, import
	ClassKeywordDeclaration              // func, var, class, let
	ClassModifier                        // public, static, const behind a type
	ClassType                            // int, string, bool
	ClassClass                           // names of classes and exceptions
	ClassInherited                       // names of classes that another one extends
	ClassFunction                        // names of functions where they are made
	ClassCall                            // names of functions where they are called
	ClassBuiltin                         // functions of the language
	ClassDecorator                       // @decorators and annotations
	ClassVariable                        // names the lexer knows to be variables: $path, @count
	ClassLanguageVariable                // self, this
	ClassParameter                       // named arguments
	ClassProperty                        // properties and fields
	ClassNamespace                       // packages and modules
	ClassConstant                        // named constants
	ClassBoolean                         // true, nil, None
	ClassNumber
	ClassString
	ClassStringDelimiter // quotes around strings
	ClassInterpolation   // ${ and } around code in strings
	ClassStringEscape    // \n, and what is interpolated into strings
	ClassRegexp
	ClassOperator
	ClassAssignment // =, := and the like
	ClassPunctuation
	ClassOption       // -x and --long of commands
	ClassArgument     // other words behind commands
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

	// NumClasses is how many classes there are.
	NumClasses = iota
)

// String returns the name of the class in theme files and style sheets, such
// as "string-escape".
func (c Class) String() string {
	names := [...]string{
		"text", "name", "comment", "doc-comment", "preprocessor", "keyword", "keyword-declaration", "modifier", "type", "class", "inherited",
		"function", "call", "builtin", "decorator", "variable", "language-variable", "parameter", "property", "namespace", "constant",
		"boolean", "number", "string", "string-delimiter", "interpolation", "string-escape", "regexp", "operator", "assignment", "punctuation", "option", "argument",
		"tag", "tag-delimiter", "attribute",
		"css-property", "json-key", "label", "inserted", "deleted", "heading", "emphasis", "strong",
	}
	if int(c) >= len(names) {
		return "text"
	}
	return names[c]
}

// Classes returns all classes, for instance to write a style sheet.
func Classes() []Class {
	all := make([]Class, NumClasses)
	for i := range all {
		all[i] = Class(i)
	}
	return all
}

// classOf maps chroma's token types to classes: the type itself, else what it
// is a kind of. It reports false for types that say nothing.
func classOf(t chroma.TokenType) (Class, bool) {
	for _, t := range [...]chroma.TokenType{t, t.SubCategory(), t.Category()} {
		if c, ok := classes[t]; ok {
			return c, true
		}
	}
	return ClassText, false
}

var classes = map[chroma.TokenType]Class{
	chroma.Name:                  ClassName,
	chroma.NameAttribute:         ClassAttribute,
	chroma.NameClass:             ClassClass,
	chroma.NameException:         ClassType,
	chroma.NameConstant:          ClassConstant,
	chroma.NameDecorator:         ClassDecorator,
	chroma.NameEntity:            ClassStringEscape,
	chroma.NameLabel:             ClassLabel,
	chroma.NameNamespace:         ClassNamespace,
	chroma.NameKeyword:           ClassKeyword,
	chroma.NameOperator:          ClassOperator,
	chroma.NameProperty:          ClassProperty,
	chroma.NameTag:               ClassTag,
	chroma.NameBuiltin:           ClassBuiltin,
	chroma.NameBuiltinPseudo:     ClassLanguageVariable,
	chroma.NameVariable:          ClassVariable,
	chroma.NameFunction:          ClassFunction,
	chroma.Keyword:               ClassKeyword,
	chroma.KeywordConstant:       ClassBoolean,
	chroma.KeywordDeclaration:    ClassKeywordDeclaration,
	chroma.KeywordType:           ClassType,
	chroma.LiteralString:         ClassString,
	chroma.LiteralStringEscape:   ClassStringEscape,
	chroma.LiteralStringInterpol: ClassStringEscape,
	chroma.LiteralStringRegex:    ClassRegexp,
	chroma.LiteralStringDoc:      ClassDocComment,
	chroma.CommentMultiline:      ClassDocComment,
	chroma.CommentSpecial:        ClassDocComment,
	chroma.Literal:               ClassString,
	chroma.LiteralNumber:         ClassNumber,
	chroma.LiteralDate:           ClassNumber,
	chroma.Operator:              ClassOperator,
	chroma.OperatorWord:          ClassKeyword,
	chroma.Punctuation:           ClassPunctuation,
	chroma.Comment:               ClassComment,
	chroma.CommentPreproc:        ClassPreprocessor,
	chroma.CommentPreprocFile:    ClassString,
	chroma.GenericDeleted:        ClassDeleted,
	chroma.GenericError:          ClassDeleted,
	chroma.GenericTraceback:      ClassDeleted,
	chroma.GenericInserted:       ClassInserted,
	chroma.GenericHeading:        ClassHeading,
	chroma.GenericSubheading:     ClassHeading,
	chroma.GenericEmph:           ClassEmphasis,
	chroma.GenericStrong:         ClassStrong,
	chroma.GenericPrompt:         ClassKeyword,
}
