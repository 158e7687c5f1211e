package screenshot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/screenshot/internal/typeset"
)

// maxFontFile is the largest font file, in bytes. The largest in use have some
// 30 MB.
const maxFontFile = 128 << 20

// Fonts is a set of fonts for characters that the embedded font lacks, such as
// Chinese, Japanese, Korean, Arabic and emoji. Load it once and use it for many
// screenshots, from several goroutines if needed. The zero Fonts is empty.
//
// If several fonts have a character, the one added first is used.
type Fonts struct{ set typeset.Fonts }

// typesetter returns the set for package typeset, an empty one for a nil f.
func (f *Fonts) typesetter() *typeset.Fonts {
	if f == nil {
		return new(typeset.Fonts)
	}
	return &f.set
}

// LoadFonts reads TrueType and OpenType fonts and font collections. A path
// names a file or a directory, which is searched recursively. A named file must
// be a font; in a directory, other files are skipped.
func LoadFonts(paths ...string) (*Fonts, error) {
	f := new(Fonts)
	for _, name := range paths {
		info, err := os.Stat(name)
		if err == nil && info.IsDir() {
			err = f.AddFS(os.DirFS(name))
		} else if err == nil {
			err = f.add(os.DirFS(filepath.Dir(name)), filepath.Base(name))
		}
		if err != nil {
			return nil, fmt.Errorf("screenshot: %w", err)
		}
	}
	return f, nil
}

// add adds the fonts of one file.
func (f *Fonts) add(fsys fs.FS, name string) error {
	info, err := fs.Stat(fsys, name)
	if err == nil && info.Size() > maxFontFile {
		err = fmt.Errorf("%s: larger than %d bytes", name, maxFontFile)
	}
	if err != nil {
		return err
	}
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	if err := f.set.Add(data); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// AddFS adds the fonts of every file in fsys whose name ends in .ttf, .otf,
// .ttc or .otc, in the order of their names. It skips files that are not fonts.
func (f *Fonts) AddFS(fsys fs.FS) error {
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !slices.Contains([]string{".ttf", ".otf", ".ttc", ".otc"}, strings.ToLower(path.Ext(name))) {
			return err
		}
		if err := f.add(fsys, name); !errors.Is(err, typeset.ErrNoFont) {
			return err
		}
		return nil
	})
}

// AddSystem adds the fonts of the system, after those added before. They are
// loaded when a character first needs one of them; if that fails, failed is
// called with the error. It keeps an index of them in cacheDir or, if that is
// empty, in the user's cache directory; making it takes a while the first time.
func (f *Fonts) AddSystem(cacheDir string, failed func(error)) {
	f.set.AddSystem(cacheDir, func(err error) { failed(fmt.Errorf("screenshot: system fonts: %w", err)) })
}

// Families returns the names of the embedded families, JetBrains Mono and Latin
// subsets of others, and of the loaded ones in order. [Extras].FontFamily may
// be one of these or, after [Fonts.AddSystem], a family of the system. A nil f
// has those embedded.
func (f *Fonts) Families() []string { return f.typesetter().Families() }
