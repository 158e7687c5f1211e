module github.com/devkiln/devkiln/internal/tools

go 1.26.0

require (
	github.com/devkiln/devkiln v0.0.0
	github.com/gosimple/slug v1.15.0
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/gosimple/unidecode v1.0.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/devkiln/devkiln => ../..
