package listing

import "github.com/devkiln/devkiln/share/mask"

// marked writes text and sets off the marks in it that stand for secrets.
func (w *writer) marked(s string) {
	for {
		from, to := mask.Index(s)
		if to == 0 || w.room < markWeight+1 {
			w.text(s)
			return
		}
		w.text(s[:from])
		w.mark("z", s[from:to])
		s = s[to:]
	}
}
