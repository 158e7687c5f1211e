package layout

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
)

//go:embed assets fonts/*.woff2 fonts/*.txt
var assetFiles embed.FS

// AssetPrefix starts the paths of assets: "/assets/" + version + "/" + name.
// The assets of every layout share a version, a hash of them, so that pages and
// dashboard load them only once. Those of [Options] share another version, a
// hash of both sets. Any version yields all assets, so modules can use relative
// URLs.
const AssetPrefix = "/assets/"

// assets maps names to style sheets, scripts and images.
type assets map[string]*asset

type asset struct {
	version     string
	contentType string
	body        []byte
}

// loadAssets loads the embedded files and those that more returns.
func loadAssets(more func() (map[string][]byte, error)) (assets, error) {
	shared, err := embeddedAssets()
	if err != nil {
		return nil, err
	}
	all := make(assets)
	if err := all.add(shared, versionOf(shared)); err != nil || more == nil {
		return all, err
	}
	own, err := more()
	if err != nil {
		return nil, err
	}
	maps.Copy(shared, own)
	return all, all.add(own, versionOf(shared))
}

func embeddedAssets() (map[string][]byte, error) {
	all := make(map[string][]byte)
	err := fs.WalkDir(assetFiles, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		all[path.Base(name)], err = assetFiles.ReadFile(name)
		return err
	})
	return all, err
}

// add adds files with a version.
func (a assets) add(files map[string][]byte, version string) error {
	for name, body := range files {
		contentType, ok := assetTypes[path.Ext(name)]
		if !ok {
			return fmt.Errorf("layout: asset %s is of no known type", name)
		}
		a[name] = &asset{version, contentType, body}
	}
	return nil
}

var assetTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon", ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8",
}

func versionOf(files map[string][]byte) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h.Write(strconv.AppendInt([]byte(name+" "), int64(len(files[name])), 10))
		h.Write(files[name])
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// assetPath returns the path of an asset. An unknown name is an error, because
// no page may refer to a missing asset.
func (l *Layout) assetPath(name string) (string, error) {
	all, err := l.assets()
	if err != nil {
		return "", err
	}
	if all[name] == nil {
		return "", fmt.Errorf("layout: no asset %s", name)
	}
	return l.base + AssetPrefix + all[name].version + "/" + name, nil
}

// ServeAsset responds with the asset that the last element of the path names.
// Browsers may cache it for a year if the path value "version" is known, and for
// a day at a fixed URL, such as /favicon.ico, which has none. A request with an
// unknown version comes from a page of another release; it gets the current
// asset, uncached.
func (l *Layout) ServeAsset(w http.ResponseWriter, r *http.Request) {
	l.Respond(w, r, func(r *http.Request) (*Response, error) {
		all, err := l.assets()
		if err != nil {
			return nil, err
		}
		f, version := all[path.Base(r.URL.Path)], r.PathValue("version")
		if f == nil {
			return nil, NoPage
		}
		response := NewResponse(f.contentType, f.body)
		if version == "" {
			response.Header.Set("Cache-Control", "public, max-age=86400")
		}
		for _, one := range all {
			if one.version == version {
				response.Header.Set("Cache-Control", "public, max-age=31536000, immutable")
			}
		}
		return response, nil
	})
}
