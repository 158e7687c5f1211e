package highlight

import (
	"bytes"
	"fmt"

	"github.com/alecthomas/chroma/v2"
)

// chromaTypes are the token types whose style in chroma's themes is that of a
// class.
var chromaTypes = [NumClasses]chroma.TokenType{
	ClassText:               chroma.Text,
	ClassName:               chroma.Name,
	ClassComment:            chroma.CommentSingle,
	ClassDocComment:         chroma.CommentMultiline,
	ClassPreprocessor:       chroma.CommentPreproc,
	ClassKeyword:            chroma.Keyword,
	ClassKeywordDeclaration: chroma.KeywordDeclaration,
	ClassModifier:           chroma.Keyword,
	ClassType:               chroma.KeywordType,
	ClassClass:              chroma.NameClass,
	ClassInherited:          chroma.NameClass,
	ClassFunction:           chroma.NameFunction,
	ClassCall:               chroma.NameFunction,
	ClassBuiltin:            chroma.NameBuiltin,
	ClassDecorator:          chroma.NameDecorator,
	ClassVariable:           chroma.NameVariable,
	ClassLanguageVariable:   chroma.NameBuiltinPseudo,
	ClassParameter:          chroma.NameAttribute,
	ClassProperty:           chroma.NameProperty,
	ClassNamespace:          chroma.NameNamespace,
	ClassConstant:           chroma.NameConstant,
	ClassBoolean:            chroma.KeywordConstant,
	ClassNumber:             chroma.LiteralNumber,
	ClassString:             chroma.LiteralString,
	ClassStringDelimiter:    chroma.LiteralStringDelimiter,
	ClassInterpolation:      chroma.LiteralStringInterpol,
	ClassStringEscape:       chroma.LiteralStringEscape,
	ClassRegexp:             chroma.LiteralStringRegex,
	ClassOperator:           chroma.Operator,
	ClassAssignment:         chroma.Operator,
	ClassPunctuation:        chroma.Punctuation,
	ClassOption:             chroma.NameAttribute,
	ClassArgument:           chroma.Text,
	ClassTag:                chroma.NameTag,
	ClassTagDelimiter:       chroma.Punctuation,
	ClassAttribute:          chroma.NameAttribute,
	ClassCSSProperty:        chroma.NameProperty,
	ClassJSONKey:            chroma.NameTag,
	ClassLabel:              chroma.NameLabel,
	ClassInserted:           chroma.GenericInserted,
	ClassDeleted:            chroma.GenericDeleted,
	ClassHeading:            chroma.GenericHeading,
	ClassEmphasis:           chroma.GenericEmph,
	ClassStrong:             chroma.GenericStrong,
}

// parseXML reads a style of chroma. It has one colour for a class, whatever the
// language.
func parseXML(data []byte) (Theme, error) {
	if len(data) > maxThemeBytes {
		return Theme{}, fmt.Errorf("theme: the file has %d bytes, at most %d are read", len(data), maxThemeBytes)
	}
	style, err := chroma.NewXMLStyle(bytes.NewReader(data))
	if err != nil {
		return Theme{}, fmt.Errorf("theme: %w", err)
	}
	background := style.Get(chroma.Background)
	t := Theme{
		Name: style.Name, Light: background.Background.Brightness() > 0.5,
		Background: colorText(background.Background), Foreground: colorText(style.Get(chroma.Text).Colour),
		LineNumber: colorText(style.Get(chroma.LineNumbers).Colour), Selection: colorText(style.Get(chroma.LineHighlight).Background),
	}
	if err := t.complete(); err != nil {
		return Theme{}, fmt.Errorf("theme: %w", err)
	}
	for c, kind := range chromaTypes {
		entry := style.Get(kind)
		t.styles[c] = Style{t.Foreground, entry.Bold == chroma.Yes, entry.Italic == chroma.Yes, entry.Underline == chroma.Yes}
		if entry.Colour.IsSet() {
			t.styles[c].Color = colorText(entry.Colour)
		}
	}
	return t, nil
}

// colorText returns a colour as theme files write it, "" if it is not set.
func colorText(c chroma.Colour) string {
	if !c.IsSet() {
		return ""
	}
	return c.String()
}
