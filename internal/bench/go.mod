module github.com/devkiln/devkiln/internal/bench

go 1.26.0

require (
	github.com/devkiln/devkiln v0.0.0
	github.com/gosimple/slug v1.15.0
)

require (
	github.com/gosimple/unidecode v1.0.1 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace github.com/devkiln/devkiln => ../..
