package highlight

import (
	"strings"

	"github.com/devkiln/devkiln/internal/language"
)

// What is one class here has other scopes in each grammar of VS Code. This file
// says which: the scopes that the grammars give most tokens of a class, nested
// ones with a blank between them. They were read off tokens that shiki 4.1
// names, file by file.

// commonScopes are those of languages that have none of their own.
var commonScopes = [NumClasses]string{
	ClassText:               "",
	ClassName:               "variable.other.readwrite",
	ClassComment:            "comment.line",
	ClassDocComment:         "comment.block.documentation",
	ClassPreprocessor:       "meta.preprocessor keyword.control.directive",
	ClassKeyword:            "keyword.control",
	ClassKeywordDeclaration: "storage.type",
	ClassModifier:           "storage.modifier",
	ClassType:               "support.type",
	ClassClass:              "entity.name.type.class",
	ClassInherited:          "entity.other.inherited-class",
	ClassFunction:           "entity.name.function",
	ClassCall:               "meta.function-call entity.name.function",
	ClassBuiltin:            "support.function",
	ClassDecorator:          "entity.name.function.decorator",
	ClassVariable:           "variable.other",
	ClassLanguageVariable:   "variable.language.this",
	ClassParameter:          "variable.parameter",
	ClassProperty:           "variable.other.property",
	ClassNamespace:          "entity.name.namespace",
	ClassConstant:           "variable.other.constant",
	ClassBoolean:            "constant.language",
	ClassNumber:             "constant.numeric",
	ClassString:             "string.quoted",
	ClassStringDelimiter:    "string.quoted punctuation.definition.string.begin",
	ClassInterpolation:      "string.template meta.template.expression punctuation.definition.template-expression",
	ClassStringEscape:       "string.quoted constant.character.escape",
	ClassRegexp:             "string.regexp",
	ClassOperator:           "keyword.operator.comparison",
	ClassAssignment:         "keyword.operator.assignment",
	ClassPunctuation:        "punctuation",
	ClassOption:             "string.unquoted constant.other.option",
	ClassArgument:           "string.unquoted.argument",
	ClassTag:                "meta.tag entity.name.tag",
	ClassTagDelimiter:       "meta.tag punctuation.definition.tag.begin",
	ClassAttribute:          "meta.tag entity.other.attribute-name",
	ClassCSSProperty:        "meta.property-name support.type.property-name",
	ClassJSONKey:            "support.type.property-name",
	ClassLabel:              "entity.name.label",
	ClassInserted:           "markup.inserted",
	ClassDeleted:            "markup.deleted",
	ClassHeading:            "markup.heading entity.name.section",
	ClassEmphasis:           "markup.italic",
	ClassStrong:             "markup.bold",
}

// scopes returns the nested scopes of a class in a language, outermost first.
func scopes(c Class, lang string) []string {
	name, _ := language.Lookup(lang)
	text, ok := languageScopes[name][c]
	if !ok {
		text = commonScopes[c]
	}
	suffix := scopeSuffix[name]
	stack := []string{"source." + suffix}
	if name == "html" {
		stack[0] = "text.html.basic"
	}
	for scope := range strings.FieldsSeq(text) {
		if suffix != "" {
			scope += "." + suffix
		}
		stack = append(stack, scope)
	}
	return stack
}

// scopeSuffix is how scopes of a language end.
var scopeSuffix = map[string]string{
	"go": "go", "python": "python", "javascript": "js", "jsx": "js.jsx", "typescript": "ts", "tsx": "tsx", "rust": "rust",
	"html": "html", "css": "css", "sql": "sql", "bash": "shell", "yaml": "yaml", "java": "java", "c++": "cpp", "c": "c",
}

// languageScopes are those that differ from commonScopes.
var languageScopes = map[string]map[Class]string{
	"go": {
		ClassName: "variable.other", ClassProperty: "variable.other", ClassVariable: "variable.other.assignment", ClassAttribute: "variable.other.property", ClassClass: "entity.name.type",
		ClassNamespace: "entity.name.type.package", ClassKeywordDeclaration: "keyword.function", ClassCall: "entity.name.function.support",
		ClassBuiltin: "entity.name.function.support.builtin", ClassType: "storage.type.numeric", ClassPunctuation: "punctuation.definition.begin.bracket.round",
		ClassConstant: "variable.other.constant",
	},
	"python": {
		ClassName: "", ClassNamespace: "", ClassKeyword: "keyword.control.flow", ClassKeywordDeclaration: "storage.type.function", ClassModifier: "storage.modifier.declaration",
		ClassDocComment: "string.quoted.docstring.multi", ClassFunction: "meta.function entity.name.function",
		ClassCall: "meta.function-call meta.function-call.generic", ClassBuiltin: "meta.function-call support.function.builtin",
		ClassLanguageVariable: "variable.language.special.self", ClassParameter: "meta.function.parameters variable.parameter.function.language",
		ClassAttribute: "meta.function-call.arguments variable.parameter.function-call", ClassVariable: "meta.function-call meta.function-call.arguments",
		ClassProperty: "meta.member.access meta.attribute", ClassConstant: "constant.other.caps", ClassPunctuation: "meta.function-call punctuation.definition.arguments.begin",
		ClassDecorator: "meta.function.decorator entity.name.function.decorator", ClassString: "string.quoted.single",
		ClassStringDelimiter: "string.quoted.single punctuation.definition.string.begin",
		ClassInterpolation:   "meta.fstring constant.character.format.placeholder.other",
	},
	"rust": {
		ClassName: "variable.other", ClassProperty: "", ClassClass: "entity.name.type", ClassType: "entity.name.type.numeric", ClassOperator: "keyword.operator", ClassCall: "meta.function.call entity.name.function",
		ClassModifier: "storage.modifier", ClassKeywordDeclaration: "keyword.other storage.type", ClassDecorator: "meta.macro entity.name.function.macro",
		ClassDocComment: "comment.line.documentation", ClassPreprocessor: "meta.attribute", ClassAttribute: "entity.name.type.lifetime",
		ClassLanguageVariable: "variable.language.self", ClassConstant: "constant.other.caps", ClassPunctuation: "punctuation.brackets.round",
		ClassString: "string.quoted.double", ClassInterpolation: "string.quoted.double meta.interpolation",
	},
	"sql": {
		ClassName: "", ClassProperty: "constant.other.table-name", ClassNamespace: "constant.other.database-name", ClassPunctuation: "", ClassCall: "", ClassFunction: "",
		ClassKeyword: "keyword.other.DML", ClassModifier: "storage.modifier", ClassType: "storage.type", ClassBuiltin: "support.function.aggregate",
		ClassString: "string.quoted.single", ClassStringDelimiter: "string.quoted.single punctuation.definition.string.begin", ClassDocComment: "comment.block",
	},
	"bash": {
		ClassCall: "entity.name.function.call entity.name.command", ClassFunction: "entity.name.function", ClassVariable: "variable.other.normal",
		ClassProperty: "variable.other.assignment", ClassBuiltin: "entity.name.function.call entity.name.command support.function.builtin",
		ClassPreprocessor: "comment.line.number-sign meta.shebang", ClassString: "string.quoted.double", ClassModifier: "storage.modifier.export",
		ClassStringDelimiter: "string.quoted.double punctuation.definition.string.begin", ClassPunctuation: "punctuation.terminator.statement",
	},
	"yaml": {
		ClassJSONKey: "string.unquoted.plain.out entity.name.tag", ClassString: "string.unquoted.plain.out", ClassPunctuation: "punctuation.separator.key-value.mapping",
		ClassOperator: "keyword.control.flow.block-scalar", ClassStringDelimiter: "string.quoted.double punctuation.definition.string.begin",
	},
	"java": {
		ClassName: "", ClassClass: "storage.type", ClassType: "storage.type.primitive", ClassNamespace: "storage.modifier.import", ClassKeywordDeclaration: "storage.modifier",
		ClassProperty: "variable.other.object.property", ClassDecorator: "storage.type.annotation", ClassConstant: "variable.other.definition", ClassString: "string.quoted.double",
		ClassVariable: "variable.other.object", ClassDocComment: "comment.block.javadoc", ClassPunctuation: "punctuation.bracket.round", ClassNumber: "constant.numeric.decimal",
	},
	"c++": {
		ClassName: "variable.other.unknown", ClassClass: "meta.qualified-type entity.name.type", ClassType: "storage.type.primitive storage.type.built-in.primitive",
		ClassNamespace: "entity.name.scope-resolution", ClassKeywordDeclaration: "storage.type.class", ClassCall: "entity.name.function.call",
		ClassModifier: "storage.modifier", ClassBuiltin: "keyword.operator.wordlike", ClassPreprocessor: "meta.preprocessor keyword.control.directive.include", ClassString: "string.quoted.double",
		ClassPunctuation: "punctuation.section.block", ClassProperty: "variable.other.property", ClassComment: "comment.line.double-slash",
	},
	"typescript": scriptScopes, "tsx": scriptScopes, "javascript": scriptScopes, "jsx": scriptScopes,
	"html": {
		ClassPreprocessor: "meta.tag.metadata.doctype entity.name.tag", ClassCSSProperty: "source.css meta.property-name.css support.type.property-name.css",
		ClassClass: "source.css meta.selector.css entity.other.attribute-name.class.css", ClassNamespace: "source.css meta.selector.css entity.other.attribute-name.id.css",
		ClassDecorator: "source.css meta.selector.css entity.other.attribute-name.pseudo-class.css", ClassComment: "comment.block", ClassVariable: "variable",
		ClassStringEscape: "constant.character.entity", ClassAssignment: "meta.tag.structure punctuation.separator.key-value", ClassPunctuation: "punctuation.terminator.rule", ClassBuiltin: "support.function", ClassName: "variable.other.object.js", ClassType: "keyword.other.unit",
	},
	"css": {
		ClassClass: "meta.selector entity.other.attribute-name.class", ClassNamespace: "meta.selector entity.other.attribute-name.id",
		ClassDecorator: "meta.selector entity.other.attribute-name.pseudo-class", ClassVariable: "variable", ClassType: "keyword.other.unit",
	},
}

// scriptScopes are those of JavaScript and TypeScript.
var scriptScopes = map[Class]string{
	ClassName: "variable.other.readwrite", ClassClass: "entity.name.type", ClassType: "support.type.primitive", ClassConstant: "variable.other.constant",
	ClassPunctuation: "meta.brace.round", ClassModifier: "storage.modifier", ClassString: "string.quoted.double",
	ClassLanguageVariable: "variable.language.this", ClassProperty: "variable.other.property", ClassBoolean: "constant.language.boolean",
}
