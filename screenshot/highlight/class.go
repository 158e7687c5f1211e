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
		if c, ok := classOfName(t); ok {
			return c, true
		}
		if c, ok := classOfOther(t); ok {
			return c, true
		}
	}
	return ClassText, false
}

func classOfName(t chroma.TokenType) (Class, bool) {
	switch t {
	case chroma.Name:
		return ClassName, true
	case chroma.NameAttribute:
		return ClassAttribute, true
	case chroma.NameClass:
		return ClassClass, true
	case chroma.NameException:
		return ClassType, true
	case chroma.NameConstant:
		return ClassConstant, true
	case chroma.NameDecorator:
		return ClassDecorator, true
	case chroma.NameEntity:
		return ClassStringEscape, true
	case chroma.NameLabel:
		return ClassLabel, true
	case chroma.NameNamespace:
		return ClassNamespace, true
	case chroma.NameKeyword:
		return ClassKeyword, true
	case chroma.NameOperator:
		return ClassOperator, true
	case chroma.NameProperty:
		return ClassProperty, true
	case chroma.NameTag:
		return ClassTag, true
	case chroma.NameBuiltin:
		return ClassBuiltin, true
	case chroma.NameBuiltinPseudo:
		return ClassLanguageVariable, true
	case chroma.NameVariable:
		return ClassVariable, true
	case chroma.NameFunction:
		return ClassFunction, true
	default:
		return ClassText, false
	}
}

func classOfOther(t chroma.TokenType) (Class, bool) {
	switch t {
	case chroma.Keyword:
		return ClassKeyword, true
	case chroma.KeywordConstant:
		return ClassBoolean, true
	case chroma.KeywordDeclaration:
		return ClassKeywordDeclaration, true
	case chroma.KeywordType:
		return ClassType, true
	case chroma.LiteralString:
		return ClassString, true
	case chroma.LiteralStringEscape, chroma.LiteralStringInterpol:
		return ClassStringEscape, true
	case chroma.LiteralStringRegex:
		return ClassRegexp, true
	case chroma.LiteralStringDoc, chroma.CommentMultiline, chroma.CommentSpecial:
		return ClassDocComment, true
	case chroma.Literal:
		return ClassString, true
	case chroma.LiteralNumber, chroma.LiteralDate:
		return ClassNumber, true
	case chroma.Operator:
		return ClassOperator, true
	case chroma.OperatorWord:
		return ClassKeyword, true
	case chroma.Punctuation:
		return ClassPunctuation, true
	case chroma.Comment:
		return ClassComment, true
	case chroma.CommentPreproc:
		return ClassPreprocessor, true
	case chroma.CommentPreprocFile:
		return ClassString, true
	default:
		return classOfGeneric(t)
	}
}

func classOfGeneric(t chroma.TokenType) (Class, bool) {
	switch t {
	case chroma.GenericDeleted, chroma.GenericError, chroma.GenericTraceback:
		return ClassDeleted, true
	case chroma.GenericInserted:
		return ClassInserted, true
	case chroma.GenericHeading, chroma.GenericSubheading:
		return ClassHeading, true
	case chroma.GenericEmph:
		return ClassEmphasis, true
	case chroma.GenericStrong:
		return ClassStrong, true
	case chroma.GenericPrompt:
		return ClassKeyword, true
	default:
		return ClassText, false
	}
}
