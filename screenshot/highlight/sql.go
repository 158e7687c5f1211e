package highlight

import (
	"regexp"
	"strings"
)

// sqlWord returns the class of an SQL word.
func (r *refiner) sqlWord(t Token, next string) (Class, bool) {
	switch {
	case t.Class == ClassBuiltin, t.Class == ClassConstant:
		return ClassType, true
	case t.Class == ClassName && createsSQL.MatchString(r.before.Text+" "+r.previous.Text):
		return ClassFunction, true
	case t.Class == ClassName && strings.HasPrefix(next, "."):
		return ClassNamespace, true
	case t.Class == ClassName && isUpperCase(t.Text):
		return ClassKeyword, true
	}
	return 0, false
}

// createsSQL matches two words that precede the name of a new SQL object.
var createsSQL = regexp.MustCompile(`(?i)^(create|replace|unique) (table|index|view|type|function|procedure|trigger|schema|database|domain|sequence|role|user)$`)
