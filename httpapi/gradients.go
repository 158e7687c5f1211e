package httpapi

import (
	"slices"
	"strings"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/httpapi/internal/fields"
)

// gradientResult is the response to a gradientRequest.
type gradientResult struct {
	Success bool `json:"success"`
	client.Gradient
}

// gradientTypes are the gradient types of the API: two of the package's kinds.
var gradientTypes = []string{string(gradient.Linear), string(gradient.Radial)}

// gradientKind reads the type.
func gradientKind(f *fields.Set) gradient.Kind {
	name, ok := f.Lookup("type")
	if ok && !slices.Contains(gradientTypes, name) {
		f.Reject("type", "not_one_of", "must be one of "+strings.Join(gradientTypes, ", "))
		return ""
	}
	return gradient.Kind(name)
}

func (s *server) makeGradient(q *request) (response, error) {
	f := q.fields
	f.Require("colors")
	colors := f.Texts("colors")
	g, err := gradient.New(colors, gradient.Options{Kind: gradientKind(f), Angle: f.Number("angle"), Positions: f.Numbers("positions")})
	if err := f.Check(err); err != nil {
		return response{}, err
	}
	return encodeJSON(gradientResult{true, client.Gradient{CSS: g.CSS(), CSSWithPrefixes: g.CSSWithPrefixes(), Colors: g.HexColors(), Type: string(g.Kind())}})
}
