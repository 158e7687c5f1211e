package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"sync"

	"github.com/klauspost/compress/gzip"

	"github.com/devkiln/devkiln/screenshot"
)

//go:embed assets
var assetFiles embed.FS

// assetPrefix is where assets are, as "/assets/" + version + "/" + name. The
// version is a hash over all of them, so that modules and style sheets reach
// each other by relative addresses.
const assetPrefix = "/assets/"

// assets are the style sheets, scripts and pictures of the pages.
type assets struct {
	version string
	files   map[string]*asset
}

type asset struct {
	contentType string
	body        []byte
	packed      func() []byte // gzip; compressed when first asked for
}

// sharedAssets returns the assets of all handlers of the process: drawing their
// pictures takes a moment, and once will do.
var sharedAssets = sync.OnceValues(loadAssets)

// loadAssets reads the embedded files and writes the style sheets that are
// computed.
func loadAssets() (*assets, error) {
	a := &assets{files: make(map[string]*asset)}
	err := fs.WalkDir(assetFiles, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := assetFiles.ReadFile(name)
		if err != nil {
			return err
		}
		return a.add(path.Base(name), body)
	})
	if err != nil {
		return nil, err
	}
	if err := a.add("ansi.css", ansiStyles()); err != nil {
		return nil, err
	}
	if err := a.add("presets.css", append(presetStyles(), themeStyles()...)); err != nil {
		return nil, err
	}
	if err := a.addPictures(); err != nil {
		return nil, err
	}
	if err := a.addFonts(); err != nil {
		return nil, err
	}
	a.version = a.hash()
	return a, nil
}

func (a *assets) add(name string, body []byte) error {
	contentType, ok := map[string]string{
		".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png", ".ttf": "font/ttf", ".txt": "text/plain; charset=utf-8",
	}[path.Ext(name)]
	if !ok {
		return fmt.Errorf("web: asset %s is of no known type", name)
	}
	a.files[name] = &asset{contentType, body, sync.OnceValue(func() []byte { return pack(body) })}
	return nil
}

// addFonts adds the coding font in the styles that pages use, and its licence.
func (a *assets) addFonts() error {
	return errors.Join(
		a.add("mono-regular.ttf", screenshot.CodingFont(false, false)),
		a.add("mono-bold.ttf", screenshot.CodingFont(true, false)),
		a.add("mono-italic.ttf", screenshot.CodingFont(false, true)),
		a.add("mono-licence.txt", []byte(screenshot.CodingFontLicence())),
	)
}

func (a *assets) hash() string {
	names := make([]string, 0, len(a.files))
	for name := range a.files {
		names = append(names, name)
	}
	slices.Sort(names)
	h := sha256.New()
	for _, name := range names {
		h.Write(strconv.AppendInt([]byte(name+" "), int64(len(a.files[name].body)), 10))
		h.Write(a.files[name].body)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// pack returns body compressed.
func pack(body []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(body) // a bytes.Buffer takes everything
	_ = z.Close()
	return b.Bytes()
}

// serveAsset answers for as long as a browser likes to keep it. An asset of
// another version is of a page that an earlier release made: it gets what there
// is, for now.
func (s *site) serveAsset(w http.ResponseWriter, r *http.Request) {
	all, err := sharedAssets()
	if err != nil {
		s.write(w, r, s.failed(r, err))
		return
	}
	f := all.files[r.PathValue("name")]
	if f == nil {
		s.write(w, r, s.failed(r, errNoPage))
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	if r.PathValue("version") != all.version {
		h.Set("Cache-Control", "no-store")
	}
	body := f.body
	if packable(f.contentType) && takesGzip(r.Header) {
		body = f.packed()
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodHead {
		return
	}
	if _, err := w.Write(body); err != nil {
		s.Log.DebugContext(r.Context(), "asset not delivered", "error", err)
	}
}
