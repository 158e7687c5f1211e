package highlight

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// LoadTheme reads a theme from a file, as [ParseTheme] does, with those of fsys
// that it includes. Its name is that of the file without its extension.
func LoadTheme(fsys fs.FS, name string) (Theme, error) {
	data, err := readTheme(fsys, name)
	if err != nil {
		return Theme{}, err
	}
	t, err := ParseTheme(data, func(included string) ([]byte, error) { return readTheme(fsys, path.Join(path.Dir(name), included)) })
	if err != nil {
		return Theme{}, fmt.Errorf("%s: %w", name, err)
	}
	t.Name = strings.TrimSuffix(path.Base(name), path.Ext(name))
	return t, nil
}

// readTheme reads a file, one byte more than a theme may have at most.
func readTheme(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, maxThemeBytes+1))
}

// LoadThemes reads the themes of a directory, the files that end in .json and
// .xml, in the order of their names.
func LoadThemes(fsys fs.FS) ([]Theme, error) {
	files, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	var themes []Theme
	for _, f := range files {
		if f.IsDir() || !slices.Contains([]string{".json", ".xml"}, strings.ToLower(path.Ext(f.Name()))) {
			continue
		}
		t, err := LoadTheme(fsys, f.Name())
		if err != nil {
			return nil, err
		}
		themes = append(themes, t)
	}
	return themes, nil
}
