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
	return fromPattern(asWritten)
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

// patterns maps chroma's file name patterns to languages.
var patterns = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, e := range entries() {
		for pattern := range strings.SplitSeq(e.patterns, ",") {
			all[pattern] = e.name
		}
	}
	return all
})

// fromPattern returns the language of a file name without directories, or "". A
// whole name takes precedence over an extension, and that over other patterns.
func fromPattern(base string) string {
	extension := "*" + path.Ext(base)
	for _, pattern := range []string{base, extension, strings.ToLower(extension)} {
		if language := patterns()[pattern]; language != "" {
			return language
		}
	}
	for _, e := range entries() {
		for pattern := range strings.SplitSeq(e.patterns, ",") {
			if ok, err := path.Match(pattern, base); ok && err == nil {
				return e.name
			}
		}
	}
	return ""
}
