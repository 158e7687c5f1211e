package bench

import (
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	gosimple "github.com/gosimple/slug"

	"github.com/devkiln/devkiln/slugify"
)

const sentence = "The Quick Brown Fox Jumps Over The Lazy Dog, And Runs: Part. "

var titles = []struct{ name, text string }{
	{"ASCII60", sentence[:60]},
	{"Accented", "Crème Brûlée à la façon de Zoë, Ångström et Żółć señor"},
	{"Chinese", "影師嗎如何在日本語中文標題測試網址"},
	{"Cyrillic", "Съешь ещё этих мягких французских булок, да выпей чаю"},
	{"Greek", "Ο γρήγορος καφέ αλεπού πηδάει πάνω από τον τεμπέλη σκύλο"},
	{"Arabic", "الثعلب البني السريع يقفز فوق الكلب الكسول مرة أخرى"},
	{"Hebrew", "השועל החום המהיר קופץ מעל הכלב העצלן פעם נוספת"},
	{"Hangul", "다람쥐 헌 쳇바퀴에 타고파 빠른 갈색 여우"},
	{"Kana", "いろはにほへと ちりぬるを わかよたれそ カタカナ"},
	{"Devanagari", "तेज भूरी लोमड़ी आलसी कुत्ते के ऊपर कूदती है"},
	{"Thai", "สุนัขจิ้งจอกสีน้ำตาลกระโดดข้ามสุนัขขี้เกียจ"},
	{"Georgian", "სწრაფი ყავისფერი მელა ზარმაც ძაღლს ახტება"},
	{"Armenian", "Արագ շագանակագույն աղվեսը ցատկում է ծույլ շան վրայով"},
	{"ASCII100K", strings.Repeat(sentence, 2000)[:100_000]},
}

// BenchmarkSlug compares slugify with gosimple/slug, with the defaults of both.
func BenchmarkSlug(b *testing.B) {
	for _, title := range titles {
		b.Run(title.name+"/slugify", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = slugify.Make(title.text, slugify.Options{})
			}
		})
		b.Run(title.name+"/slugifyAppend", func(b *testing.B) {
			b.ReportAllocs()
			buf := make([]byte, 0, 4*len(title.text))
			for b.Loop() {
				_, _ = slugify.Append(buf, title.text, slugify.Options{})
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

// BenchmarkSlugRatio alternates between the two in short bursts and compares
// the best burst of each, which other load disturbs least: x is how many times
// faster slugify is. Run it with -benchtime 300x.
func BenchmarkSlugRatio(b *testing.B) {
	for _, title := range titles {
		b.Run(title.name, func(b *testing.B) {
			calls := max(1, 10_000/len(title.text))
			ours, theirs := math.Inf(1), math.Inf(1)
			for b.Loop() {
				ours = min(ours, burst(calls, func() { _, _ = slugify.Make(title.text, slugify.Options{}) }))
				theirs = min(theirs, burst(calls, func() { gosimple.Make(title.text) }))
			}
			b.ReportMetric(ours, "ours-ns")
			b.ReportMetric(theirs, "theirs-ns")
			b.ReportMetric(theirs/ours, "x")
		})
	}
}

// burst returns the nanoseconds per call.
func burst(calls int, call func()) float64 {
	start := time.Now()
	for range calls {
		call()
	}
	return float64(time.Since(start).Nanoseconds()) / float64(calls)
}

// BenchmarkSlugOptions shows what each option costs.
func BenchmarkSlugOptions(b *testing.B) {
	text := titles[1].text
	for name, o := range map[string]slugify.Options{
		"KeepCase": {KeepCase: true}, "Language": {Language: "de-AT"}, "MaxLength": {MaxLength: 30}, "Preserve": {Preserve: "."},
		"Replace": {Replace: map[string]string{"Zoë": "Zoe B"}}, "StopWords": {StopWords: []string{"de", "et"}}, "Unicode": {Unicode: true}, "SplitCamel": {SplitCamel: true},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = slugify.Make(text, o)
			}
		})
	}
	b.Run("IsSlug", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = slugify.Make("the-quick-brown-fox-jumps-over-the-lazy-dog-and-runs-part-1", slugify.Options{})
		}
	})
	b.Run("NFD", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = slugify.Make("Cre\u0300me Bru\u0302le\u0301e a\u0300 la fac\u0327on de Zoe\u0308", slugify.Options{})
		}
	})
}

// BenchmarkSlugLength shows that time is linear in length: constant MB/s.
func BenchmarkSlugLength(b *testing.B) {
	for _, script := range []struct{ name, text string }{
		{"ASCII", sentence},
		{"Accented", titles[1].text + " "},
		{"Chinese", titles[2].text},
		{"Ampersands", "&"},
		{"Apostrophes", "'"},
		{"Marks", "\u0301"},
		{"Invalid", "\xff"},
		{"Breaks", "🎉 "},
	} {
		for _, size := range []int{10_000, 1_000_000, 10_000_000} {
			text := strings.Repeat(script.text, size/len(script.text))
			b.Run(script.name+"/"+strconv.Itoa(size), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					_, _ = slugify.Make(text, slugify.Options{})
				}
			})
		}
	}
}

// BenchmarkSlugSet numbers a million equal titles.
func BenchmarkSlugSet(b *testing.B) {
	for b.Loop() {
		set, err := slugify.NewSet(slugify.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for range 1_000_000 {
			if _, err := set.Add("The same title"); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkSlugFirstCall starts processes to time the first slug that each
// makes, without the start of the process itself.
func BenchmarkSlugFirstCall(b *testing.B) {
	for _, title := range titles[:3] {
		for _, library := range []string{"slugify", "gosimple"} {
			b.Run(title.name+"/"+library, func(b *testing.B) {
				var sum float64
				for b.Loop() {
					child := exec.CommandContext(b.Context(), os.Args[0], "-test.run=^TestSlug_firstCall$", "-test.v")
					child.Env = append(os.Environ(), "FIRST_CALL="+library, "FIRST_TEXT="+title.text)
					out, err := child.Output()
					if err != nil {
						b.Fatal(err)
					}
					_, figure, _ := strings.Cut(string(out), "first call ns: ")
					figure, _, _ = strings.Cut(figure, "\n")
					ns, err := strconv.ParseFloat(figure, 64)
					if err != nil {
						b.Fatal(err)
					}
					sum += ns
				}
				b.ReportMetric(sum/float64(b.N), "first-ns/op")
			})
		}
	}
}

// TestSlug_firstCall is the process of [BenchmarkSlugFirstCall].
func TestSlug_firstCall(t *testing.T) {
	text := os.Getenv("FIRST_TEXT")
	start := time.Now()
	switch os.Getenv("FIRST_CALL") {
	case "slugify":
		_, _ = slugify.Make(text, slugify.Options{})
	case "gosimple":
		gosimple.Make(text)
	default:
		t.Skip("runs for BenchmarkSlugFirstCall")
	}
	t.Logf("first call ns: %d", time.Since(start).Nanoseconds())
}
