package listing

import "github.com/devkiln/devkiln/share/mask"

// marked writes text and highlights the placeholders of masked secrets.
func (w *writer) marked(s string) {
	written := 0
	for from, to := range mask.Marks(s) {
		if w.room < markWeight+1 {
			break
		}
		w.text(s[written:from])
		w.mark("z", s[from:to])
		written = to
	}
	w.linked(s[written:])
}
