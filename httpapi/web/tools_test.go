package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/slugify"
)

// post sends a body with a media type.
func (p *pages) post(t *testing.T, target, contentType, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Accept", browser)
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w
}

const formType = "application/x-www-form-urlencoded"

// faultsOf returns the faults sent to a script, by field.
func faultsOf(t *testing.T, w *httptest.ResponseRecorder) map[string]string {
	t.Helper()
	var answer struct {
		Faults []struct{ Field, Message string }
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer), w.Body.String())
	all := make(map[string]string)
	for _, p := range answer.Faults {
		all[p.Field] = p.Message
	}
	return all
}

var wrongField = regexp.MustCompile(`id="([^"]+-wrong)"[^>]*>[^<]+</p>`)

// marked checks that every field with a message refers to it and is marked as
// invalid.
func marked(t *testing.T, page string) {
	t.Helper()
	for _, message := range wrongField.FindAllStringSubmatch(page, -1) {
		assert.Regexp(t, `aria-describedby="([^"]* )?`+message[1]+`( [^"]*)?" aria-invalid="true"`, page, message[0])
	}
}

func TestGradientPage(t *testing.T) {
	p := newPages(t)
	for _, c := range cases[struct{ Query, CSS, Fault string }](t, "gradients.json") {
		page := html.UnescapeString(p.get(t, "/gradient?"+c.Query, browser).Body.String())
		w := p.get(t, "/gradient?"+c.Query, "application/json")
		picture := p.get(t, "/gradient/picture.svg?"+c.Query, curl)
		if c.Fault != "" {
			assert.Contains(t, page, ">"+c.Fault+"</p>", c.Query)
			marked(t, page)
			assert.Equal(t, http.StatusBadRequest, w.Code, c.Query)
			assert.Contains(t, w.Body.String(), c.Fault, c.Query)
			assert.Equal(t, http.StatusBadRequest, picture.Code, c.Query)
			continue
		}
		code := func(target string) string {
			var result struct{ CSS, Code string }
			require.NoError(t, json.Unmarshal(p.get(t, "/gradient?"+c.Query+"&format="+target, "application/json").Body.Bytes(), &result))
			assert.Equal(t, c.CSS, result.CSS, c.Query)
			return result.Code
		}
		assert.Equal(t, http.StatusOK, w.Code)
		assert.Contains(t, page, ">background: "+c.CSS+";</pre>", c.Query)
		g, err := gradient.Parse(c.CSS)
		require.NoError(t, err)
		assert.Equal(t, g.CSSWithPrefixes(), code("css-fallback"))
		assert.Equal(t, "image/svg+xml", picture.Header().Get("Content-Type"))
	}
}

// Errors appear at their fields.
func TestGradientPage_options(t *testing.T) {
	p := newPages(t)
	const two = "color=%23ff0000&color=%230000ff"
	for query, want := range map[string]string{
		two + "&type=conic":                                               "conic-gradient(#ff0000 0%, #0000ff 100%)",
		two + "&space=oklch&hue=longer":                                   "linear-gradient(90deg in oklch longer hue, #ff0000 0%, #0000ff 100%)",
		two + "&repeating=on&position=0&position=10":                      "repeating-linear-gradient(90deg, #ff0000 0%, #0000ff 10%)",
		two + "&type=radial&shape=ellipse&x=20":                           "radial-gradient(ellipse at 20% 50%, #ff0000 0%, #0000ff 100%)",
		two + "&easing=ease-in":                                           "linear-gradient(90deg, #ff0000 0%, #f70008 14.0625%, #da0025 32.0313%, #a70058 52.7344%, #5f00a0 75.3906%, #0a00f5 97.6563%, #0000ff 100%)",
		"color=rgb(255+0+0+/+50%25)&color=%230000ff":                      "linear-gradient(90deg, rgba(255, 0, 0, 0.5) 0%, #0000ff 100%)",
		"css=-webkit-linear-gradient(top,red,blue+50%25)":                 "linear-gradient(180deg, #ff0000 0%, #0000ff 50%)",
		"css=.a+{+background:+radial-gradient(red,blue)+}":                "radial-gradient(ellipse, #ff0000 0%, #0000ff 100%)",
		"css=radial-gradient(at+left,lab(29.2345+39.3825+20.0664),+blue)": "radial-gradient(ellipse at 0% 50% in oklab, #7d2329 0%, #0000ff 100%)",
		two + "&do=reverse&position=10&position=":                         "linear-gradient(90deg, #0000ff 0%, #ff0000 90%)",
	} {
		var result struct {
			CSS, Studio string
		}
		w := p.get(t, "/gradient?"+query, "application/json")
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &result), w.Body.String())
		assert.Equal(t, want, result.CSS, query)
		assert.Equal(t, strings.Contains(query, "repeating"), result.Studio == "", "the studio repeats no gradients: %s", query)
	}
	for query, want := range map[string]map[string]string{
		two + "&easing=fast&x=a&text=%3Cb%3E": {"easing": "Easing must be linear, ease, ", "center": "Centre must be a position of CSS, such as 30% 40% or top left.", "textColor": "Colour of text must be a CSS colour, such as #f00 or red."},
		two + "&text=%3Cb%3E":                 {"textColor": "Colour of text must be a CSS colour, such as #f00 or red."},
		"css=red":                             {"css": "The CSS cannot be read: "},
		two + "&space=cmyk":                   {"space": "Space must be srgb, "},
		two + "&type=radial&shape=square":     {"shape": "Shape must be circle or ellipse"},
	} {
		got := faultsOf(t, p.get(t, "/gradient?"+query, "application/json"))
		for field, message := range want {
			assert.Contains(t, got[field], message, query)
		}
		marked(t, p.get(t, "/gradient?"+query, browser).Body.String())
	}
	page := p.get(t, "/gradient?"+two+"&text=%3Cb%3E", browser).Body.String()
	assert.Contains(t, page, `<div class="results">`, "the field and what is wrong with it are in sight")
	assert.Equal(t, http.StatusOK, p.get(t, "/gradient/picture.svg?"+two+"&text=%3Cb%3E", curl).Code)
}

// Every preset is a gradient that the form holds exactly, with a name of its
// own.
func TestGradientPage_gallery(t *testing.T) {
	p := newPages(t)
	page := p.get(t, "/gradient", browser).Body.String()
	links := regexp.MustCompile(`<li><a href="(/gradient\?css=[^"]+)"><i class="(ground-[\w-]+)"></i>`).FindAllStringSubmatch(page, -1)
	require.Len(t, links, 40)
	classes := make(map[string]bool)
	for _, link := range links {
		classes[link[2]] = true
		link := html.UnescapeString(link[1])
		target, err := url.Parse(link)
		require.NoError(t, err)
		want, err := gradient.Parse(target.Query().Get("css"))
		require.NoError(t, err, link)
		var result struct{ CSS string }
		require.NoError(t, json.Unmarshal(p.get(t, link, "application/json").Body.Bytes(), &result))
		assert.Equal(t, want.CSS(), result.CSS)
		assert.Contains(t, p.get(t, link, browser).Body.String(), `<div class="results">`)
	}
	assert.Len(t, classes, len(links))
}

func TestGradientPage_withoutScripts(t *testing.T) {
	p := newPages(t)
	count := func(query string) int {
		return strings.Count(p.get(t, "/gradient?"+query, browser).Body.String(), `<input name="color"`)
	}
	const two = "color=%23000000&color=%23ffffff"
	assert.Equal(t, 3, count(two+"&add=1"))
	assert.Equal(t, 2, count(two+"&remove=1"), "two are the least")
	assert.Equal(t, 2, count(two+"&color=%23ff0000&remove=2"))
	assert.Equal(t, 10, count(strings.TrimPrefix(strings.Repeat("&color=%23000000", 10), "&")+"&add=1"), "ten are the most")
	assert.LessOrEqual(t, count(strings.Repeat("color=x&", 5000)), 20)
}

func TestSlugPage(t *testing.T) {
	p := newPages(t)
	text := "Crème brûlée\r\nФильм & Ärger\n\n"
	for query, o := range map[string]slugify.Options{
		"":                                     {},
		"&separator=_&case=keep":               {Separator: new("_"), KeepCase: true},
		"&language=de&max=5":                   {Language: "de", MaxLength: 5},
		"&separator=&language=fr":              {Separator: new(""), Language: "fr"},
		"&separator=.&max=&case=no":            {Separator: new(".")},
		"&emoji=name&camel=split&unicode=keep": {Emoji: true, SplitCamel: true, Unicode: true},
		"&emoji=on&splitCamel=on&unicode=on&maxLength=9": {Emoji: true, SplitCamel: true, Unicode: true, MaxLength: 9},
		"&stop=%C3%A4rger,+x&replace=" + url.QueryEscape("brûlée=burnt") + "&preserve=.&fallback=none": {
			StopWords: []string{"ärger", "x"}, Replace: map[string]string{"brûlée": "burnt"}, Preserve: ".", Fallback: "none",
		},
	} {
		query = "/slug?text=" + url.QueryEscape(text) + query
		maker, err := slugify.NewMaker(o)
		require.NoError(t, err)
		want := maker.Make("Crème brûlée") + "\n" + maker.Make("Фильм & Ärger") + "\n" + maker.Make("") + "\n" + maker.Make("")
		var got struct{ Slugs string }
		require.NoError(t, json.Unmarshal(p.get(t, query, "application/json").Body.Bytes(), &got))
		assert.Equal(t, want, got.Slugs, query)
		assert.Contains(t, p.get(t, query, browser).Body.String(), ">"+want+"</pre>", query)
	}
	for query, message := range map[string]string{
		"text=a&separator=xx":                "Separator must be empty or one of",
		"text=a&max=many":                    "Max length must be a whole number.",
		"text=a&replace=x":                   "Replace must be pairs such as C++=cpp;♥=love.",
		"text=a&replace=x=":                  "Replace “x” must have a replacement with a letter or digit",
		"text=a&stop=a-b":                    "Stop word 1 must be one word.",
		"text=a%0Aa&max=-1&unique=number":    "Max length must be 0 or more.",
		"text=a&max=-1":                      "Max length must be 0 or more.",
		"text=a&language=" + "x%22%3E":       "Language must be a BCP 47 tag",
		"text=" + strings.Repeat("a", 4_001): "The text has 4,001 characters; this page takes 4,000, the API any number.",
	} {
		w := p.get(t, "/slug?"+query, "application/json")
		assert.Equal(t, http.StatusBadRequest, w.Code)
		assert.Contains(t, w.Body.String(), message)
		page := p.get(t, "/slug?"+query, browser).Body.String()
		assert.Equal(t, 1, strings.Count(html.UnescapeString(page), ">"+message), message)
		marked(t, page)
	}
}

// A language that the page does not offer stays chosen.
func TestSlugPage_otherLanguage(t *testing.T) {
	p := newPages(t)
	body := p.get(t, "/slug?language=de-AT&text=x&emoji=name", browser).Body.String()
	assert.Contains(t, body, `<details class="options" open>`)
	assert.Contains(t, body, `<option value="de-AT" selected>de-AT</option>`)
	assert.NotContains(t, p.get(t, "/slug?language=uk&text=x&case=keep", browser).Body.String(), `<details class="options" open>`)
	for _, l := range slugify.Languages() {
		assert.Contains(t, body, `<option value="`+l.Tag+`">`+l.Name+`</option>`)
	}
}

// Lines whose slugs are equal say so.
func TestSlugPage_equalSlugs(t *testing.T) {
	p := newPages(t)
	const query = "/slug?text=Post%0Apost!%0A%0Aother%0A%0APOST"
	body := p.get(t, query, browser).Body.String()
	for _, row := range []string{"<td>Post</td><td>post<span>Same as line 2</span></td>", "<td>post!</td><td>post<span>Same as line 1</span></td>", "<td>other</td><td>other</td>", "<td></td><td></td>"} {
		assert.Contains(t, body, row)
	}
	assert.Equal(t, 3, strings.Count(body, "Same as line"))
	assert.NotContains(t, p.get(t, query+"&unique=number", browser).Body.String(), "Same as line")
}

const someCode = "package main\n\nfunc main() {}\n"

func TestStudio_drawsAsTheLibrary(t *testing.T) {
	p := newPages(t)
	c, err := screenshot.New(someCode, screenshot.Options{Theme: "ocean", Background: "#336699", Padding: new(0.0), HideShadow: true, WindowTitle: "main.go"})
	require.NoError(t, err)
	body, err := json.Marshal(c)
	require.NoError(t, err)
	form := url.Values{
		"code": {strings.ReplaceAll(someCode, "\n", "\r\n")}, "theme": {"ocean"}, "background": {"#336699"}, "preset": {""}, "padding": {"0"}, "fontSize": {"14"}, "borderRadius": {"12"},
		"windowTitle": {"main.go"}, "language": {""}, "lineNumbers": {"on"}, "windowControls": {"on"}, "scale": {"3"},
	}
	var svg, three bytes.Buffer
	require.NoError(t, c.WriteSVG(t.Context(), &svg))
	require.NoError(t, c.WritePNG(t.Context(), &three, 3))

	w := p.post(t, "/screenshot/picture?make=svg", "application/json", string(body))
	assert.Equal(t, svg.String(), w.Body.String())
	assert.Equal(t, "go", w.Header().Get("X-Language"))
	assert.Equal(t, "Picture%20of%203%20lines%20of%20Go:%20main.go", w.Header().Get("X-Description"))
	w = p.post(t, "/screenshot/picture?make=png&scale=3", "application/json", string(body))
	assert.Equal(t, three.Bytes(), w.Body.Bytes())

	form.Set("make", "png")
	w = p.post(t, "/screenshot", formType, form.Encode())
	assert.Equal(t, three.Bytes(), w.Body.Bytes())
	assert.Equal(t, `attachment; filename="main-go.png"`, w.Header().Get("Content-Disposition"))
	picture, err := png.Decode(w.Body)
	require.NoError(t, err)
	laidOut, err := c.Picture()
	require.NoError(t, err)
	width, _ := laidOut.Size()
	assert.Equal(t, 3*width, picture.Bounds().Dx())

	form.Set("make", "svg")
	assert.Equal(t, svg.String(), p.post(t, "/screenshot", formType, form.Encode()).Body.String())
	form.Del("make")
	w = p.post(t, "/screenshot", formType, form.Encode())
	assert.Contains(t, w.Body.String(), `<img src="data:image/svg&#43;xml,%3Csvg`)
	assert.Contains(t, w.Body.String(), `value="ocean" checked`)
}

// The picture says what it shows, without repeating its code.
func TestStudio_alternativeText(t *testing.T) {
	p := newPages(t)
	for alt, form := range map[string]url.Values{
		"Picture of 3 lines of Go: main.go":                            {"code": {someCode}, "windowTitle": {"main.go"}},
		"Picture of 3 lines of Go: package main":                       {"code": {someCode}},
		"Picture of 1 line of SQL: SELECT 1":                           {"code": {"SELECT 1"}, "language": {"sql"}},
		"Picture of 1 line of Go: func main() {}":                      {"code": {someCode}, "with-lines": {"3-9"}},
		"Picture of 2 lines of Text: " + strings.Repeat("ä", 60) + "…": {"code": {"\n" + strings.Repeat("ä", 81)}, "language": {"text"}},
	} {
		form.Set("theme", "ocean")
		page := html.UnescapeString(p.post(t, "/screenshot", formType, form.Encode()).Body.String())
		assert.Contains(t, page, `alt="`+alt+`"`)
	}
	assert.Contains(t, p.get(t, "/screenshot", browser).Body.String(), ` alt="Picture of 13 lines of Go: kiln.go"`)
}

func TestStudio_faults(t *testing.T) {
	p := newPages(t)
	bad := url.Values{"code": {""}, "theme": {"<b>"}, "background": {"url(//evil.example)"}, "padding": {"999"}, "fontSize": {"many"}, "scale": {"9"}, "make": {"png"}}
	page := html.UnescapeString(p.post(t, "/screenshot", formType, bad.Encode()).Body.String())
	assert.Contains(t, page, "<p>Font size must be a number.</p>")
	bad.Set("fontSize", "14")
	page = html.UnescapeString(p.post(t, "/screenshot", formType, bad.Encode()).Body.String())
	for _, want := range []string{"The code must not be empty.", "Theme must be one of", "Background must be", "Padding must be 0 to 256"} {
		assert.Contains(t, page, ">"+want)
	}
	assert.Equal(t, map[string]string{"scale": "Scale must be 1 to 4."}, faultsOf(t, p.post(t, "/screenshot/picture?make=png&scale=9", "application/json", `{"code":"x","theme":"ocean","background":"red","fontSize":14}`)))

	several := url.Values{"code": {"x"}, "padding": {"999"}, "fontSize": {"many"}, "scale": {"9"}, "make": {"png"}, "with-wrap": {"5"}, "with-highlight": {"x"}, "with-size": {"1200x675"}, "with-ratio": {"16:9"}}
	page = html.UnescapeString(p.post(t, "/screenshot", formType, several.Encode()).Body.String())
	marked(t, page)
	for _, want := range []string{"Padding must be 0 to 256.", "Font size must be a number.", "Scale must be 1 to 4.", "Wrap must be 10 to 1000.", "Highlight must be a line or a range", "Shape must not be set if size has a height."} {
		assert.Contains(t, page, ">"+want)
	}
	assert.Equal(t, map[string]string{
		"scale": "Scale must be 1 to 4.", "padding": "Padding must be 0 to 256.", "wrap": "Wrap must be 10 to 1000.",
		"highlight": "Highlight must be a line or a range of lines such as 10-20, with numbers from 1 to 9999999.",
	}, faultsOf(t, p.post(t, "/screenshot/picture?scale=9&wrap=5&highlight=x", "application/json", `{"code":"x","theme":"ocean","background":"red","fontSize":14,"padding":999}`)))
	for _, body := range []string{"", "{", "[]", `{"x":1}`, `{"code":1}`, `{} {}`} {
		w := p.post(t, "/screenshot/picture", "application/json", body)
		assert.Equal(t, http.StatusBadRequest, w.Code, body)
		assert.NotEmpty(t, faultsOf(t, w), body)
	}
	assert.Equal(t, http.StatusBadRequest, p.post(t, "/screenshot/picture?make=gif", "application/json", `{"code":"x","theme":"ocean","background":"red","fontSize":14}`).Code)
	assert.Equal(t, http.StatusBadRequest, p.post(t, "/screenshot", "text/plain", "code=x").Code)
	assert.Equal(t, http.StatusBadRequest, p.post(t, "/screenshot", formType, "code=%zz").Code)
	assert.Equal(t, http.StatusRequestEntityTooLarge, p.post(t, "/screenshot", formType, "code="+strings.Repeat("x", 1<<20)).Code)
	assert.Equal(t, http.StatusMethodNotAllowed, p.get(t, "/screenshot/picture", browser).Code)
	assert.Empty(t, p.log.String())
}

func TestStudio_cancelledRequest(t *testing.T) {
	p := newPages(t)
	ctx, leave := context.WithCancel(t.Context())
	leave()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/screenshot/picture?make=png", strings.NewReader(`{"code":"x","theme":"ocean","background":"red","fontSize":14}`))
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	assert.Equal(t, http.StatusServiceUnavailable, w.Code)
	assert.Equal(t, "5", w.Header().Get("Retry-After"))
	assert.Empty(t, p.log.String())
}

func TestStudio_ownTheme(t *testing.T) {
	p := newPages(t)
	draw := func(theme string) *httptest.ResponseRecorder {
		body, err := json.Marshal(map[string]any{"config": json.RawMessage(`{"code":"x","theme":"dracula","background":"#000000","fontSize":14}`), "palette": theme})
		require.NoError(t, err)
		return p.post(t, "/screenshot/picture?own", "application/json", string(body))
	}
	w := draw(`{"colors": {"editor.background": "#123456", "editor.foreground": "#eeeeee"}, "tokenColors": []} // a comment`)
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	assert.Contains(t, w.Body.String(), `fill="#123456"`)
	assert.Equal(t, map[string]string{"theme": "Theme must be a file of at most 262144 bytes."}, faultsOf(t, draw(strings.Repeat(" ", 256<<10+1))))
	for _, broken := range []string{"", "{", `{"include": "/etc/passwd"}`, strings.Repeat("[", 100_000)} {
		assert.Contains(t, faultsOf(t, draw(broken))["theme"], "Theme cannot be read: theme: ", broken[:min(len(broken), 20)])
	}
	assert.Equal(t, http.StatusBadRequest, p.post(t, "/screenshot/picture?own", "application/json", `{"code":"x"}`).Code)
}

func TestStudio_preview(t *testing.T) {
	p := newPages(t)
	w := p.post(t, "/screenshot/picture?make=preview", "application/json", `{"code":"\n\nif true {\n\treturn \"<b>\"\n}\n","language":"go","theme":"dracula","background":"#000000","fontSize":14}`)
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	assert.Contains(t, w.Body.String(), `<i class="keyword" data-text="if"></i>`)
	assert.Contains(t, w.Body.String(), "&lt;b&gt;")
	assert.Equal(t, 3, strings.Count(w.Body.String(), "<br>"), "blank lines are left out")
	styles := p.get(t, regexp.MustCompile(`/assets/\w+/themes\.css`).FindString(p.get(t, "/screenshot", browser).Body.String()), "").Body.String()
	assert.Equal(t, len(highlight.AllThemes()), strings.Count(styles, ".theme-"))
}

// Attack vectors pass through every form and come back as text.
func TestForms_hostileText(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	p := newPages(t)
	shape := func(page string) []string {
		page, _, _ = strings.Cut(page, `<pre class="big`)
		tags := tag.FindAllString(page, -1)
		for i, s := range tags {
			name, _, _ := strings.Cut(s, " ")
			tags[i] = strings.TrimRight(name, ">")
		}
		return tags
	}
	tags := func(page string) int { // without the tokens and lines in the previews of themes
		return strings.Count(page, "<") - 2*strings.Count(page, `"></i>`) - strings.Count(page, "<br>")
	}
	slug, studio := shape(p.get(t, "/slug?text=x", browser).Body.String()), tags(p.post(t, "/screenshot", formType, "code=x").Body.String())
	for _, vector := range vectors(t) {
		q := url.QueryEscape(vector)
		assert.Equal(t, slug, shape(p.get(t, "/slug?text="+q, browser).Body.String()), vector)
		for _, path := range []string{"/slug?language=V&separator=V&max=V", "/gradient?angle=V&type=V&color=V", "/gradient?color=%23000000&color=%23ffffff&position=V"} {
			assert.NotContains(t, p.get(t, strings.ReplaceAll(path, "V", q), browser).Body.String(), "<script>window", path+vector)
		}
		page := p.post(t, "/screenshot", formType, "code="+q+"&windowTitle="+q+"&language="+q).Body.String()
		assert.Equal(t, studio, tags(page), vector)
	}
}

func TestViewSnippet_opensInTheStudio(t *testing.T) {
	p := newPages(t)
	page := p.get(t, "/snippets/"+p.newSnippet(t, someCode, share.SnippetOptions{Title: "main.go", Language: "Golang"}), browser).Body.String()
	_, rest, ok := strings.Cut(page, `href="/screenshot#`)
	require.True(t, ok)
	fragment, _, _ := strings.Cut(rest, `"`)
	c, err := screenshot.ParseFragment(fragment)
	require.NoError(t, err)
	assert.Equal(t, someCode, c.Code)
	assert.Equal(t, "golang", c.Language)
	assert.Equal(t, "main.go", c.WindowTitle)
	for n, fits := range map[int]bool{1: true, 50_000: true, 50_001: false, 100_000: false} {
		page := p.get(t, "/snippets/"+p.newSnippet(t, strings.Repeat("é", n), share.SnippetOptions{Title: strings.Repeat("t", 100)}), browser).Body.String()
		assert.Equal(t, fits, strings.Contains(page, "/screenshot#"), "%d characters", n)
	}
}

func TestStartPage_showsResults(t *testing.T) {
	p := newPages(t)
	w := p.get(t, "/", browser)
	assert.Equal(t, http.StatusOK, w.Code)
	assert.Empty(t, w.Header().Get("X-Robots-Tag"))
	page := html.UnescapeString(w.Body.String())
	for _, result := range []string{"class=E><i>2026-11-20", "<i class=k>def</i>", "curl http://example.com/api/v1/slug-generator"} {
		assert.Contains(t, page, result)
	}
	assert.Contains(t, p.get(t, "/", browser, "Host", "x").Body.String(), "curl ")
}

// A WebP whose scale is lower than asked for says so.
func TestStudio_scaleOfWebP(t *testing.T) {
	if testing.Short() {
		t.Skip("draws large pictures, which package screenshot does under the race detector")
	}
	p := newPages(t)
	form := url.Values{"code": {strings.Repeat("x\n", 1500)}, "theme": {"ocean"}, "make": {"webp"}, "scale": {"4"}}
	assert.Regexp(t, `^The WebP has a scale of \d\.\d+, not 4,`, p.post(t, "/screenshot", formType, form.Encode()).Header().Get("X-Warning"))
	form.Set("code", "x")
	form.Set("make", "png")
	assert.Empty(t, p.post(t, "/screenshot", formType, form.Encode()).Header().Get("X-Warning"))
}

// The studio offers and uses the font families of the server.
func TestStudio_fontFamilies(t *testing.T) {
	fonts, err := screenshot.LoadFonts("../../screenshot/testdata/fonts/arabic.ttf")
	require.NoError(t, err)
	family := fonts.Families()[4]
	p := newPages(t, func(o *web.Options) { o.Fonts = fonts })
	body := p.get(t, "/screenshot?fontFamily=Another", browser).Body.String()
	assert.Contains(t, body, `<option value="">JetBrains Mono</option><option value="Fira Code">Fira Code</option>`)
	assert.Contains(t, body, `<option value="`+family+`">`+family+`</option><option value="Another" selected>Another</option></select>`)
	form := url.Values{"code": {"مرحبا"}, "theme": {"ocean"}, "with-fontFamily": {family}, "make": {"svg"}}
	own := p.post(t, "/screenshot", formType, form.Encode())
	form.Del("with-fontFamily")
	assert.NotEqual(t, p.post(t, "/screenshot", formType, form.Encode()).Body.String(), own.Body.String())
	assert.Equal(t, http.StatusOK, own.Code)
}
