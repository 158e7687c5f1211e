package main

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
)

// Limits on the windows of each length from one source, and of one class, so
// that no single project represents a language. A class with few windows takes
// more from each source, up to eight times as many.
const (
	perSourceLong  = 220
	perSourceShort = 80
	perFile        = 8
	perClassLong   = 2600
	perClassShort  = 900
	mostTimes      = 8
)

// samples are the windows of one split: long ones of 5 to 30 lines and short
// ones of 2 to 4.
type samples struct {
	long, short []window
}

// collect cuts windows from the archives in dir of all sources of a split and,
// for training, from our own texts.
func collect(dir, split string, all []source) (samples, error) {
	byClass := map[string][][]file{}
	for _, src := range all {
		if src.Split != split {
			continue
		}
		files, err := readSource(dir, src)
		if err != nil {
			return samples{}, err
		}
		groups := map[string][]file{}
		for _, f := range files {
			groups[f.language] = append(groups[f.language], f)
		}
		for class, group := range groups {
			byClass[class] = append(byClass[class], group)
		}
	}
	var s samples
	if split == "train" {
		s = own()
	}
	for _, class := range slices.Sorted(maps.Keys(byClass)) {
		s.long = append(s.long, pickAll(byClass[class], perSourceLong, perClassLong/2, 5, 30)...)
		s.short = append(s.short, pickAll(byClass[class], perSourceShort, perClassShort/2, 2, 4)...)
	}
	s.long = append(s.long, diffs(s.long)...)
	s.short = append(s.short, diffs(s.short)...)
	return samples{capped(s.long, perClassLong), capped(s.short, perClassShort)}, nil
}

// pickAll cuts windows from the files of one class, grouped by source: n from
// each source, and more if the total is below enough.
func pickAll(groups [][]file, n, enough, shortest, longest int) []window {
	for times := 1; ; times *= 2 {
		var out []window
		for _, files := range groups {
			out = append(out, pick(files, n*times, shortest, longest)...)
		}
		if len(out) >= enough || times == mostTimes {
			return out
		}
	}
}

// pick cuts up to n windows from files of one class, from as many files as
// possible.
func pick(files []file, n, shortest, longest int) []window {
	files = shuffled(files, func(f file) string { return f.path })
	each := min(perFile, max(1, (n+len(files)-1)/len(files)))
	var out []window
	for _, f := range files {
		if len(out) >= n {
			break
		}
		out = append(out, cut(f, each, shortest, longest)...)
	}
	return out
}

// capped keeps at most n windows of each class, drops duplicates and sorts the
// rest into an order that depends only on the texts.
func capped(windows []window, n int) []window {
	windows = shuffled(windows, func(w window) string { return w.text })
	count := map[string]int{}
	seen := map[string]bool{}
	var out []window
	for _, w := range windows {
		if seen[w.text] || count[w.language] >= n {
			continue
		}
		seen[w.text] = true
		count[w.language]++
		out = append(out, w)
	}
	return out
}

// shuffled sorts items by a hash of their keys.
func shuffled[T any](items []T, key func(T) string) []T {
	hash := func(item T) uint64 {
		h := fnv.New64a()
		h.Write([]byte(key(item)))
		return h.Sum64()
	}
	out := slices.Clone(items)
	slices.SortStableFunc(out, func(a, b T) int { return cmp.Compare(hash(a), hash(b)) })
	return out
}

// diffs makes a unified diff of every twentieth window of code, because sources
// contain far fewer diffs than code.
func diffs(windows []window) []window {
	var out []window
	for i, w := range windows {
		if i%20 == 0 && w.language != "diff" {
			out = append(out, window{"diff", w.source, diffOf(w)})
		}
	}
	return out
}

func diffOf(w window) string {
	r := seedOf(w.text)
	var b strings.Builder
	if r.below(2) == 0 {
		start := 1 + r.below(400)
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", start, 3+r.below(9), start+r.below(20), 3+r.below(9))
	}
	lines := strings.Split(strings.TrimSuffix(w.text, "\n"), "\n")
	changed := r.below(len(lines))
	for i, line := range lines {
		mark := " "
		if i >= changed && i < changed+1+r.below(5) || r.below(6) == 0 {
			mark = []string{"+", "-"}[r.below(2)]
		}
		b.WriteString(mark + line + "\n")
	}
	return b.String()
}
