package highlight

import "strings"

// isDocstring reports whether a string token is part of a string that stands
// alone at the beginning of a Python module or block.
func (r *refiner) isDocstring(t Token) bool {
	opens := false
	if r.doc == "" {
		quote := t.Text[:min(3, len(t.Text))]
		alone := r.previous.Text == "" || strings.HasSuffix(r.previous.Text, ":") && !r.inCall() || r.previous.Class == ClassComment
		if !alone || quote != `"""` && quote != "'''" {
			return false
		}
		r.doc, opens = quote, true
	}
	if strings.HasSuffix(t.Text, r.doc) && (!opens || len(t.Text) >= 6) {
		r.doc = ""
	}
	return true
}

// pythonName returns the class of a Python name that is a parameter, an
// argument or a base class.
func (r *refiner) pythonName(_, next string) Class {
	switch {
	case !r.Docstrings:
		return ClassText
	case r.within() == ClassInherited && !strings.HasPrefix(next, "="):
		return ClassInherited
	case r.inCall() && strings.HasPrefix(next, "=") && !strings.HasPrefix(next, "=="):
		return ClassAttribute
	case r.within() == ClassParameter && r.previous.Text != "[" && (r.startsParameter() || strings.Trim(r.previous.Text, "*") == ""):
		return ClassParameter
	default:
		return ClassText
	}
}
