package httpapi

import (
	"context"

	"github.com/devkiln/devkiln/gradient"
)

// gradientRequest is the body of POST /api/v1/gradient-generator.
type gradientRequest struct {
	colors  []string
	options gradient.Options
}

// gradientResult answers it.
type gradientResult struct {
	Success         bool     `json:"success"`
	CSS             string   `json:"css"`
	CSSWithPrefixes string   `json:"cssWithPrefixes"`
	Colors          []string `json:"colors"`
	Type            string   `json:"type"`
}

func decodeGradient(f *fields) gradientRequest {
	f.required("colors")
	in := gradientRequest{colors: f.texts("colors")}
	in.options.Kind = gradientKind(f)
	in.options.Angle = f.number("angle")
	in.options.Positions = f.numbers("positions")
	return in
}

// gradientKind reads the type: of the kinds that the package knows, the API has
// two.
func gradientKind(f *fields) gradient.Kind {
	switch name := f.optionalText("type"); {
	case name == nil, *name == "linear":
		return gradient.Linear
	case *name == "radial":
		return gradient.Radial
	default:
		f.reject("type", "not_one_of", "must be one of linear, radial")
		return gradient.Linear
	}
}

func checkGradient(in gradientRequest) error {
	_, err := gradient.New(in.colors, in.options)
	return err
}

func makeGradient(_ context.Context, _ caller, in gradientRequest) (gradientResult, error) {
	g, err := gradient.New(in.colors, in.options)
	if err != nil {
		return gradientResult{}, err
	}
	return gradientResult{true, g.CSS(), g.CSSWithPrefixes(), g.HexColors(), in.options.Kind.String()}, nil
}
