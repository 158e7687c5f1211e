//go:build !race

package slugify_test

const raceEnabled = false
