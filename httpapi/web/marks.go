package web

import "github.com/devkiln/devkiln/share/mask"

// marked writes text and sets off the marks in it that stand for secrets.
func (l *listing) marked(s string) {
	for {
		from, to := mask.Index(s)
		if to == 0 || l.room < markWeight+1 {
			l.text(s)
			return
		}
		l.text(s[:from])
		l.mark("z", s[from:to])
		s = s[to:]
	}
}
