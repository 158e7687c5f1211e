module github.com/devkiln/devkiln/internal/bench

go 1.26.0

require (
	github.com/devkiln/devkiln v0.0.0
	github.com/lucasb-eyer/go-colorful v1.4.1
	github.com/mazznoer/colorgrad v0.11.1
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/mazznoer/csscolorparser v0.1.8 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/image v0.47.0 // indirect
)

replace github.com/devkiln/devkiln => ../..
