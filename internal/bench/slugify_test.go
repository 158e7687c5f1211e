package bench

import (
	"strings"
	"testing"

	gosimple "github.com/gosimple/slug"

	"github.com/devkiln/devkiln/slugify"
)

var titles = []struct{ name, text string }{
	{"ASCII60", "The Quick Brown Fox Jumps Over The Lazy Dog, And Runs: Part 1"[:60]},
	{"Accented", "Crème Brûlée à la façon de Zoë, Ångström et Żółć señor"},
	{"Chinese", "影師嗎如何在日本語中文標題測試網址"},
	{"ASCII100K", strings.Repeat("The Quick Brown Fox Jumps Over The Lazy Dog, And Runs: Part. ", 1700)[:100_000]},
}

func BenchmarkSlug(b *testing.B) {
	for _, title := range titles {
		b.Run(title.name+"/slugify", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				slugify.Make(title.text, slugify.Options{})
			}
		})
		b.Run(title.name+"/slugifyAppend", func(b *testing.B) {
			b.ReportAllocs()
			buf := make([]byte, 0, 4*len(title.text))
			for b.Loop() {
				slugify.Append(buf, title.text, slugify.Options{})
			}
		})
		b.Run(title.name+"/gosimple", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				gosimple.Make(title.text)
			}
		})
	}
}
