package language

import (
	"path"
	"strings"
	"sync"
)

// maxFilenameBytes is the number of bytes at the end of a file name that are
// read.
const maxFilenameBytes = 255

// fromFilename returns the language that a file name alone determines, or "".
// It leaves .h and .m, which several languages share, to fromSharedExtension.
func fromFilename(filename string) string {
	filename = filename[max(0, len(filename)-maxFilenameBytes):]
	asWritten := filename[strings.LastIndexAny(filename, `/\`)+1:]
	base := strings.ToLower(asWritten)
	if base == "" {
		return ""
	}
	if name := known().words["filename"][base]; name != "" {
		return name
	}
	dot := strings.LastIndexByte(base, '.')
	ext := base[dot+1:]
	if dot >= 0 && (ext == "h" || ext == "m") {
		return ""
	}
	if name := known().words["extension"][ext]; dot >= 0 && name != "" {
		return name
	}
	return chromaPatterns().match(asWritten)
}

// fromSharedExtension resolves an extension that several languages share: .h is
// C unless the code looks like C++ or Objective-C, and .m is Matlab unless it
// looks like Objective-C. For other names it returns guess.
func fromSharedExtension(filename, code, guess string) string {
	switch strings.ToLower(path.Ext(filename)) {
	case ".h":
		if guess != "c++" && !objectiveC(code) {
			return "c"
		}
	case ".m":
		if !objectiveC(code) {
			return "matlab"
		}
	default:
		return guess
	}
	if objectiveC(code) {
		return "objective-c"
	}
	return guess
}

func objectiveC(code string) bool {
	code = code[:min(len(code), MaxRead)]
	for _, mark := range []string{"#import ", "@interface ", "@implementation ", "@protocol ", "@property "} {
		if strings.Contains(code, mark) {
			return true
		}
	}
	return false
}

// patterns are chroma's file name patterns, by the way they are looked up.
type patterns struct {
	names      map[string]string // whole names
	extensions map[string]string // with the dot
	globs      []glob
}

type glob struct{ pattern, language string }

var chromaPatterns = sync.OnceValue(func() *patterns {
	p := &patterns{names: map[string]string{}, extensions: map[string]string{}}
	for _, e := range entries() {
		for pattern := range strings.SplitSeq(e.patterns, ",") {
			p.add(pattern, e.name)
		}
	}
	return p
})

func (p *patterns) add(pattern, language string) {
	extension := path.Ext(pattern)
	switch {
	case pattern == "":
	case !strings.ContainsAny(pattern, `*?[\`):
		p.names[pattern] = language
	case pattern == "*"+extension && !strings.ContainsAny(extension, `*?[\`):
		p.extensions[extension] = language
	default:
		p.globs = append(p.globs, glob{pattern, language})
	}
}

// match returns the language of a file name without directories, or "".
func (p *patterns) match(base string) string {
	if language := p.names[base]; language != "" {
		return language
	}
	extension := path.Ext(base)
	for _, e := range []string{extension, strings.ToLower(extension)} {
		if language := p.extensions[e]; language != "" {
			return language
		}
	}
	for _, g := range p.globs {
		if ok, err := path.Match(g.pattern, base); ok && err == nil {
			return g.language
		}
	}
	return ""
}
