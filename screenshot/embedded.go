package screenshot

import "github.com/devkiln/devkiln/screenshot/internal/stripng"

// A PNG has a title and, with [Extras].Embed, its Config: the query and the
// fragment of the link to the studio, under this keyword.
const configKeyword = "devkiln"

// texts returns the texts of the picture's PNG.
func (p *Picture) texts() ([]stripng.Text, error) {
	all := []stripng.Text{{Keyword: "Title", Value: p.scene.Name}}
	if p.config.Embed == "" {
		return all, nil
	}
	fragment, err := p.config.Fragment()
	if err != nil {
		return nil, err
	}
	return append(all, stripng.Text{Keyword: configKeyword, Value: "?" + p.config.query().Encode() + "#" + fragment}), nil
}
