package export

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/devkiln/devkiln/gradient"
)

// token is a gradient of the Design Tokens Format Module (2025.10), section
// 9.6. It has colours and positions; an extension adds the direction.
type token struct {
	Type       string            `json:"$type"`
	Value      []tokenStop       `json:"$value"`
	Extensions map[string]string `json:"$extensions"`
}

type tokenStop struct {
	Color    tokenColor `json:"color"`
	Position float64    `json:"position"`
}

type tokenColor struct {
	Space      string     `json:"colorSpace"`
	Components [3]float64 `json:"components"`
	Alpha      float64    `json:"alpha"`
	Hex        string     `json:"hex"`
}

// writeTokens writes the stops of the gradient line from 0 % to 100 %.
func writeTokens(j *job) error {
	if strings.HasPrefix(j.g.CSS(), "repeating-") {
		return errors.New("a gradient token cannot repeat")
	}
	plain, err := j.g.Expand(gradient.ExpandOptions{MaxError: max(1, j.o.MaxError)})
	if err != nil {
		return err
	}
	t := token{Type: "gradient", Value: []tokenStop{}, Extensions: map[string]string{"com.github.devkiln.css": j.g.CSS()}}
	for _, s := range plain.Stops() {
		if s.Position < 0 || s.Position > 100 {
			return errors.New("a gradient token cannot have positions below 0 or above 1")
		}
		c := gradient.ColorOf(s.Color)
		opaque := s.Color
		opaque.A = 255
		t.Value = append(t.Value, tokenStop{tokenColor{"srgb", rounded(c.Components), rounded([3]float64{c.Alpha})[0], gradient.FormatHex(opaque)}, s.Position / 100})
	}
	encoder := json.NewEncoder(j)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]token{j.o.Name: t})
}

// rounded rounds to four decimals; eight bits need three.
func rounded(v [3]float64) [3]float64 {
	for i := range v {
		v[i] = float64(int(v[i]*1e4+0.5)) / 1e4
	}
	return v
}
