package language

import (
	"regexp"
	"sync"
)

// TypeScript is JavaScript with types, and a program without any is valid in
// both. typed matches the ways to write types.
var typed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)` +
		`^\s*(?:export )?(?:default )?(?:declare )?(?:abstract class|interface|enum|const enum|namespace|module) [A-Z]\w*` +
		`|^\s*(?:export )?(?:declare )?type \w+(?:<[^=\n]*>)? =` +
		`|^\s*(?:import|export) type\b` +
		`|^\s*(?:(?:public|private|protected|static|readonly|override|abstract|declare) )+(?:async )?\w+[?!]?(?:<\w+>)?[:(]` +
		`|\b(?:const|let|var) \w+!?: ` +
		`|\)\s*: (?:\w+ is )?[\w.<>\[\]|&{}'", ]+(?:\{|=>|;|=)` +
		`|[(,]\s*(?:readonly )?\w+\?: ?\w` +
		`|[(,]\s*\.{0,3}\w+: (?:string|number|boolean|any|unknown|void|never|null|object|Array<|Promise<|Record<|React\.|[A-Z]\w*(?:\.\w+)*(?:<[^()]*>)?(?:\[\])*[,)=])` +
		`|^\s+(?:readonly )?\w+\??: (?:string|number|boolean|any|unknown|void|Array<|Promise<|Record<|Date|Buffer)(?:\[\])*(?: [|&=].*)?[;,]?$` +
		`|\bas (?:const|any|unknown|string|number|[A-Z]\w*)\b` +
		`|\bsatisfies [A-Z]` +
		`|\b\w+<(?:string|number|boolean|any|unknown|void|[A-Z]\w*(?:\[\])?)(?:, ?[\w<>\[\]]+)*>\(` +
		`|<reference types=|^@[A-Z]\w*\(`)
})

// script matches the start of a module in both, and in no other language.
var script = regexp.MustCompile(`^\s*(?:['"]use (?:strict|client|server)['"]|import (?:type )?(?:\{\s*\n|[\w$*{][^'"]* from ['"]))`)

// fromTypes distinguishes the two languages, which the classifier confuses.
func fromTypes(code, name string, confidence float64) string {
	switch {
	case typed().MatchString(code):
		return "typescript"
	case confidence < 0.8:
		return "javascript"
	default:
		return name
	}
}
