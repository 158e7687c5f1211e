package audit

const (
	MaxPerKind = maxPerKind
	Retention  = retention
)
