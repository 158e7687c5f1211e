package screenshot_test

import (
	"encoding/xml"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot"
)

// notationCase is a case of testdata/notation.json: the lines that the picture
// shows of some code, and the equivalent parameters.
type notationCase struct {
	Name, Language, Code                string
	Lines                               []string
	Highlight, Focus, Inserted, Deleted string
	Words                               []string // the texts that have a background
}

func TestNotation_asParameters(t *testing.T) {
	for _, c := range readCases[notationCase](t, "testdata/notation.json") {
		written := screenshot.Options{Language: c.Language, HideLineNumbers: true, Extras: screenshot.Extras{Notation: screenshot.NotationShiki, Window: screenshot.WindowWindows}}
		document, lines := drawSVG(t, mustNew(t, c.Code, written))
		var shown []string
		for _, line := range lines {
			if line != "+" && line != "-" {
				shown = append(shown, strings.TrimSuffix(line, " "))
			}
		}
		assert.Equal(t, c.Lines, shown, c.Name)
		assert.Equal(t, c.Words, markedWords(t, document), c.Name)
		if c.Words != nil {
			continue
		}
		said := screenshot.Options{Language: c.Language, HideLineNumbers: true, Extras: screenshot.Extras{Window: screenshot.WindowWindows}}
		require.NoError(t, said.SetValues(url.Values{"highlight": {c.Highlight}, "focus": {c.Focus}, "inserted": {c.Inserted}, "deleted": {c.Deleted}}))
		want, _ := drawSVG(t, mustNew(t, strings.Join(c.Lines, "\n")+"\n", said))
		assert.True(t, want == document, c.Name)
	}
}

// markedWords returns the texts with a background in an SVG, which precedes
// their row.
func markedWords(t *testing.T, document string) []string {
	t.Helper()
	var svg struct {
		Rects []struct {
			X     float64 `xml:"x,attr"`
			Y     float64 `xml:"y,attr"`
			Width float64 `xml:"width,attr"`
			Crisp string  `xml:"shape-rendering,attr"`
		} `xml:"rect"`
		Texts []struct {
			Y     float64 `xml:"y,attr"`
			Spans []struct {
				X    float64 `xml:"x,attr"`
				Text string  `xml:",chardata"`
			} `xml:"tspan"`
		} `xml:"text"`
	}
	require.NoError(t, xml.Unmarshal([]byte(document), &svg))
	const line = 21 // at 14 pixels
	var words []string
	for _, r := range svg.Rects {
		var word strings.Builder
		for _, text := range svg.Texts {
			for _, s := range text.Spans {
				if text.Y > r.Y && text.Y < r.Y+line && s.X > r.X-0.01 && s.X < r.X+r.Width-0.01 {
					word.WriteString(s.Text)
				}
			}
		}
		if r.Crisp != "" {
			words = append(words, word.String())
		}
	}
	return words
}

func TestNotation_tooManyWords(t *testing.T) {
	code := strings.Repeat("a // [!code word:a]\n", screenshot.MaxWords+1)
	config := mustNew(t, code, screenshot.Options{Language: "go", Extras: screenshot.Extras{Notation: screenshot.NotationShiki}})
	_, err := config.Picture()
	assert.Equal(t, []string{"notation too_many"}, faultsOf(t, err))
	config.Code = strings.TrimPrefix(code, "a // [!code word:a]\n")
	_, err = config.Picture()
	require.NoError(t, err)
}

// FuzzNotation looks for directives whose removal loses other text.
func FuzzNotation(f *testing.F) {
	f.Add("a // [!code ++] x")
	f.Add("a /* [!code word:\\]:3] */ b\n{/* [!code hl:99999] */}")
	f.Fuzz(func(t *testing.T, code string) {
		config, err := screenshot.New(code, screenshot.Options{Language: "jsx", FontSize: new(8.0), Padding: new(0.0), Extras: screenshot.Extras{Notation: screenshot.NotationShiki}})
		if err != nil {
			return
		}
		picture, err := config.Picture()
		if err != nil {
			faultsOf(t, err)
			return
		}
		if !strings.Contains(code, "[!code ") {
			config.Notation = ""
			plain, err := config.Picture()
			require.NoError(t, err)
			require.Equal(t, plain.Description(), picture.Description())
		}
	})
}
