package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// annotations are the parts of a CLDR annotation file that name signs, by sign.
type annotations map[string]struct {
	Name []string `json:"tts"`
}

// emoji lists emoji with their names, one per line, from the packages
// cldr-annotations-modern and cldr-annotations-derived-modern below a
// directory.
func emoji(directory string) (string, error) {
	files, err := filepath.Glob(filepath.Join(directory, "*", "*", "en", "annotations.json"))
	if err != nil {
		return "", err
	}
	var lines []string
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		var file map[string]struct{ Annotations annotations }
		if err := json.Unmarshal(data, &file); err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		for _, part := range file {
			for sign, about := range part.Annotations {
				if isEmoji(sign) && len(about.Name) > 0 {
					lines = append(lines, sign+" "+about.Name[0]+"\n")
				}
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, ""), nil
}

// isEmoji reports whether a sign is a picture: not an arrow, not a keycap,
// which is a digit, and not a variant by skin tone.
func isEmoji(sign string) bool {
	first, _ := utf8.DecodeRuneInString(sign)
	isSkin := func(r rune) bool { return 0x1f3fb <= r && r <= 0x1f3ff }
	isClock := 0x231a <= first && first <= 0x23ff
	return unicode.Is(unicode.So, first) && (first >= 0x2600 || isClock) && !strings.ContainsFunc(sign, isSkin)
}
