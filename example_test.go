package devkiln_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/devkiln/devkiln"
	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/slugify"
)

// A program lists everything that is wrong with several inputs at once.
func ExampleInvalidFields() {
	_, badGradient := gradient.New([]string{"red", "#ff0000"}, gradient.Options{Positions: []float64{0, 101}})
	_, badSlug := slugify.Make("Crème brûlée", slugify.Options{MaxLength: -1})
	err := fmt.Errorf("settings: %w", errors.Join(badGradient, badSlug))
	fields := devkiln.InvalidFields(err)
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		fmt.Println(field, fields[field])
	}
	fmt.Println(devkiln.InvalidFields(errors.New("disk full")))
	// Output:
	// colors[0] must be #RRGGBB
	// maxLength must be 0 or more
	// positions[1] must be from 0 to 100
	// map[]
}
