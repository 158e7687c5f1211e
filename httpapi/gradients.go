package httpapi

import (
	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/httpapi/internal/fields"
)

// gradientRequest is the body of POST /api/v1/gradient-generator.
type gradientRequest struct {
	colors  []string
	options gradient.Options
}

// gradientResult is the response to a gradientRequest.
type gradientResult struct {
	Success bool `json:"success"`
	client.Gradient
}

func decodeGradient(f *fields.Set) gradientRequest {
	f.Require("colors")
	in := gradientRequest{colors: f.Texts("colors")}
	in.options.Kind = gradientKind(f)
	in.options.Angle = f.Number("angle")
	in.options.Positions = f.Numbers("positions")
	return in
}

// gradientTypes are the gradient types of the API.
var gradientTypes = []string{gradient.Linear.String(), gradient.Radial.String()}

// gradientKind reads the type. The API supports two of the package's kinds.
func gradientKind(f *fields.Set) gradient.Kind {
	switch name, ok := f.Lookup("type"); {
	case !ok, name == "linear":
		return gradient.Linear
	case name == "radial":
		return gradient.Radial
	default:
		f.Reject("type", "not_one_of", "must be one of linear, radial")
		return gradient.Linear
	}
}

func (s *server) makeGradient(q *request) (response, error) {
	in := decodeGradient(q.fields)
	g, err := gradient.New(in.colors, in.options)
	if err := q.fields.Check(err); err != nil {
		return response{}, err
	}
	return encodeJSON(gradientResult{true, client.Gradient{CSS: g.CSS(), CSSWithPrefixes: g.CSSWithPrefixes(), Colors: g.HexColors(), Type: g.Kind().String()}})
}
