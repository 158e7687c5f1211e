package httpapi

import (
	"strings"

	"github.com/devkiln/devkiln/httpapi/internal/fields"
)

// Shares are made once for an Idempotency-Key, as package share has it
// (draft-ietf-httpapi-idempotency-key-header-07). A failure is not remembered:
// whoever asks again may succeed.

const (
	idempotencyKey = "Idempotency-Key"
	replayed       = "Idempotent-Replayed"
)

// decodeIdempotencyKey reads the key of a request, "" if it has none: a string
// of structured fields (RFC 9651) as the draft wants it, or the same without
// quotes, as most clients send it.
func decodeIdempotencyKey(q *request, f *fields.Set) string {
	values := q.Header.Values(idempotencyKey)
	if len(values) == 0 {
		return ""
	}
	key, ok := parseKey(strings.TrimSpace(values[0]))
	if !ok || len(values) > 1 {
		f.Reject(idempotencyKey, "invalid_format", `must be one string of structured fields, such as "8e03978e-40d5-43e8-bc93-6894a57f9324"`)
	}
	return key
}

func parseKey(value string) (key string, ok bool) {
	if !strings.HasPrefix(value, `"`) {
		return value, value != "" && !strings.ContainsAny(value, "\"\\,; \t")
	}
	var text strings.Builder
	for i := 1; i < len(value); i++ {
		switch value[i] {
		case '"':
			return text.String(), i > 1 && i == len(value)-1
		case '\\':
			if i++; i == len(value) || value[i] != '"' && value[i] != '\\' {
				return "", false
			}
		}
		text.WriteByte(value[i])
	}
	return "", false
}

// tellReplayed says whether the share of a response was made before.
func (q *request) tellReplayed(before bool) {
	if before {
		q.recorder.Header().Set(replayed, "true")
	}
}
