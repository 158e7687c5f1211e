package layout

import (
	"fmt"
	"html/template"
)

// A tool is a page of the navigation.
type tool struct{ Path, Name string }

var tools = [...]tool{{"/screenshot", "Screenshot"}, {"/gradient", "Gradient"}, {"/slug", "Slug"}, {"/docs", "API"}}

// icons are drawn on a grid of 20 by 20, with lines 1.6 wide.
var icons = map[string]string{
	"check":    "M4 10.5l4 4 8-9",
	"copy":     "M7.5 7.5V4.2c0-.7.5-1.2 1.2-1.2h7.1c.7 0 1.2.5 1.2 1.2v7.1c0 .7-.5 1.2-1.2 1.2h-3.3M4.2 7.5h7.1c.7 0 1.2.5 1.2 1.2v7.1c0 .7-.5 1.2-1.2 1.2H4.2c-.7 0-1.2-.5-1.2-1.2V8.700c0-.7.5-1.2 1.2-1.2z",
	"raw":      "M11.500 2.800H5.700c-.7 0-1.200.5-1.200 1.200v12c0 .7.5 1.200 1.200 1.200h8.600c.7 0 1.200-.5 1.200-1.200V6.800zM11.500 2.800v4h4M7.500 10.500h5M7.500 13.500h5",
	"download": "M10 3v9.500M5.800 8.600L10 12.800l4.200-4.200M3.500 16.700h13",
	"image":    "M4.200 3.500h11.600c.7 0 1.200.5 1.200 1.200v10.600c0 .7-.5 1.200-1.200 1.200H4.200c-.7 0-1.200-.5-1.200-1.200V4.700c0-.7.5-1.200 1.200-1.200zM3.500 14l4-4 3.500 3.500 2.500-2.500 3 3M13 7.400h.01",
	"search":   "M8.800 3.500a5.300 5.300 0 1 1 0 10.600 5.300 5.300 0 0 1 0-10.600zM12.800 12.800L17 17",
	"compare":  "M7 3v10.500M4 10.500l3 3 3-3M13 16.500V6M10 9l3-3 3 3",
	"up":       "M10 16.500v-13M4.800 8.700L10 3.500l5.200 5.200",
	"down":     "M10 3.500v13M4.800 11.300L10 16.500l5.200-5.200",
	"wrap":     "M3 5h14M3 10h11a3 3 0 0 1 0 6h-4M12 13.800L9.800 16l2.200 2.200M3 15h3.500",
	"link":     "M8.500 11.500a3.300 3.300 0 0 0 4.700 0l2.900-2.900a3.300 3.300 0 0 0-4.700-4.700l-1 1M11.500 8.500a3.300 3.300 0 0 0-4.700 0l-2.900 2.900a3.300 3.300 0 0 0 4.700 4.700l1-1",
	"plus":     "M10 4v12M4 10h12",
	"minus":    "M4 10h12",
	"undo":     "M7.500 4L3.500 8l4 4M4 8h7.500a4.500 4.500 0 0 1 0 9H8",
	"redo":     "M12.500 4l4 4-4 4M16 8H8.500a4.500 4.500 0 0 0 0 9H12",
	"help":     "M7.3 7.6a2.7 2.7 0 1 1 4.3 2.2c-1 .7-1.600 1.200-1.600 2.400M10 15.500h.01",
	"clock":    "M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM10 6v4.200l2.800 1.800",
}

// icon returns a picture that goes with a word; it says nothing by itself.
func icon(name string) (template.HTML, error) {
	d, ok := icons[name]
	if !ok {
		return "", fmt.Errorf("layout: no icon %s", name)
	}
	return template.HTML(`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="` + d + `"/></svg>`), nil
}
