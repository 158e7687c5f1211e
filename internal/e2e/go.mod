module github.com/devkiln/devkiln/internal/e2e

go 1.26.0

require github.com/devkiln/devkiln v0.0.0

replace github.com/devkiln/devkiln => ../..
