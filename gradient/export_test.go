package gradient

// MaxSide and MaxStops are limits of painting and parsing.
const (
	MaxSide  = maxSide
	MaxStops = maxStops
)
