package screenshot

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/screenshot/internal/typeset"
)

// The limits of a patch that [FromPatch] reads.
const (
	MaxPatch      = 4 << 20 // bytes
	maxPatchFiles = 1_000
)

// FromPatch returns a [Config] for each file whose text a patch changes, in
// order, with the Input "patch". The title is the name of the file, and the
// language follows from it, unless the options set them. Text before the first
// file, such as a commit message, and binary files are skipped.
//
// The error is an option error for the field "patch" if the patch cannot be
// parsed, is too large, or changes no text; else that of [New], prefixed with
// the name of the file.
func FromPatch(patch string, o Options) ([]Config, error) {
	if len(patch) > MaxPatch {
		return nil, &invalid.Fault{Field: "patch", Reason: "too_long", Message: fmt.Sprintf("has %d bytes, must have at most %d", len(patch), MaxPatch)}
	}
	files, err := readPatch("patch", patch)
	if err != nil {
		return nil, err
	}
	if len(files) > maxPatchFiles {
		return nil, &invalid.Fault{Field: "patch", Reason: "too_many", Message: fmt.Sprintf("changes %d files, must change at most %d", len(files), maxPatchFiles)}
	}
	o.Input = inputPatch
	configs := make([]Config, len(files))
	for i, f := range files {
		own := o
		own.WindowTitle = cmp.Or(o.WindowTitle, patchTitle(f))
		if configs[i], err = New(f.String(), own); err != nil {
			return nil, fmt.Errorf("%s: %w", fileName(f), err)
		}
	}
	return configs, nil
}

// readPatch returns the files whose text a patch changes, at least one. Its
// errors name the given field.
func readPatch(field, text string) ([]*gitdiff.File, error) {
	all, _, err := gitdiff.Parse(strings.NewReader(highlight.NormalNewlines(text) + "\n"))
	if err != nil {
		return nil, &invalid.Fault{Field: field, Reason: "invalid_format", Message: "must be a patch: " + strings.TrimPrefix(err.Error(), "gitdiff: ")}
	}
	var files []*gitdiff.File
	for _, f := range all {
		for _, hunk := range f.TextFragments {
			if low, high := min(hunk.OldPosition, hunk.NewPosition), max(hunk.OldPosition, hunk.NewPosition); low < 0 || high > maxLineNumber {
				return nil, &invalid.Fault{Field: field, Reason: "out_of_range", Message: fmt.Sprintf("must not change lines above %d", maxLineNumber)}
			}
		}
		if len(f.TextFragments) > 0 {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return nil, &invalid.Fault{Field: field, Reason: "invalid_format", Message: "must be a patch that changes text, as git and diff -u write it"}
	}
	return files, nil
}

// fileName returns the name of a file after a patch, or the old name of a
// deleted file.
func fileName(f *gitdiff.File) string { return cmp.Or(f.NewName, f.OldName) }

func patchTitle(f *gitdiff.File) string {
	if f.IsRename {
		return f.OldName + " → " + f.NewName
	}
	return fileName(f)
}

// patchLines reads the patch of a file. Its lines have the colours of their
// language, and the line numbers in the old and the new file.
func (l *layout) patchLines(c *Config) ([]line, error) {
	files, err := readPatch("code", c.Code)
	if err != nil {
		return nil, err
	}
	if len(files) > 1 {
		return nil, &invalid.Fault{Field: "code", Reason: "too_many", Message: fmt.Sprintf("is a patch of %d files, must be of one", len(files))}
	}
	before, after := l.sides(files[0], c.Language)
	var lines []line
	for _, hunk := range files[0].TextFragments {
		old, now := int(hunk.OldPosition), int(hunk.NewPosition)
		title := strings.TrimSpace(fmt.Sprintf("@@ -%d,%d +%d,%d @@ %s", old, hunk.OldLines, now, hunk.NewLines, hunk.Comment))
		lines = append(lines, line{at: now, mark: between, pieces: []typeset.Piece{{Text: title, Ink: typeset.Ink{Color: l.palette.lineNumber}}}})
		for _, changed := range hunk.Lines {
			switch changed.Op {
			case gitdiff.OpAdd:
				lines = append(lines, line{at: now, new: now, mark: inserted, pieces: l.palette.pieces(after[0])})
			case gitdiff.OpDelete:
				lines = append(lines, line{at: now, old: old, mark: deleted, pieces: l.palette.pieces(before[0])})
			default:
				lines = append(lines, line{now, old, now, markOf(c.Extras, now), l.palette.pieces(after[0])})
			}
			if changed.Old() {
				old, before = old+1, before[1:]
			}
			if changed.New() {
				now, after = now+1, after[1:]
			}
		}
	}
	return lines, nil
}

// sides returns the lines of a patch in the old and the new file.
func (l *layout) sides(f *gitdiff.File, lang string) (before, after [][]highlight.Token) {
	var old, now strings.Builder
	for _, hunk := range f.TextFragments {
		for _, changed := range hunk.Lines {
			text := strings.TrimSuffix(changed.Line, "\n") + "\n"
			if changed.Old() {
				old.WriteString(text)
			}
			if changed.New() {
				now.WriteString(text)
			}
		}
	}
	if name, _ := language.Lookup(lang); name == "diff" {
		lang = language.Detect(cmp.Or(now.String(), old.String()), fileName(f))
	}
	first := highlight.Code(old.String(), lang)
	if first.Plain {
		lang = language.Text
	}
	second := highlight.Code(now.String(), lang)
	l.plain = first.Plain || second.Plain
	return first.Lines, second.Lines
}
