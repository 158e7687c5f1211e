package language

import (
	"path"
	"slices"
	"strings"
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
	switch ext := strings.ToLower(path.Ext(filename)); {
	case ext != ".h" && ext != ".m":
		return guess
	case objectiveC(code):
		return "objective-c"
	case ext == ".m":
		return "matlab"
	case guess == "c++":
		return guess
	}
	return "c"
}

func objectiveC(code string) bool {
	code = code[:min(len(code), MaxRead)]
	marks := []string{"#import ", "@interface ", "@implementation ", "@protocol ", "@property "}
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(code, mark) })
}

// fromPattern returns the language of a file name without directories, or "". A
// whole name takes precedence over an extension, and that over other patterns.
func fromPattern(base string) string {
	extension := "*" + path.Ext(base)
	for _, pattern := range []string{base, extension, strings.ToLower(extension)} {
		for _, e := range entries() {
			if slices.Contains(e.patterns, pattern) {
				return e.name
			}
		}
	}
	for _, e := range entries() {
		if slices.ContainsFunc(e.patterns, func(pattern string) bool { ok, _ := path.Match(pattern, base); return ok }) {
			return e.name
		}
	}
	return ""
}
