package httpapi

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
)

// admit checks the key and the rate. Every answer behind it tells the rate.
func (s *server) admit(w http.ResponseWriter, r *http.Request) (apikey.Key, error) {
	secret := r.Header.Get("X-Api-Key")
	if secret == "" {
		return apikey.Key{}, missingKey
	}
	v := visitOf(w)
	now := v.now
	key, err := s.Keys.Check(r.Context(), secret, now)
	if errors.Is(err, apikey.ErrInvalid) {
		return apikey.Key{}, invalidKey
	}
	if err != nil {
		return apikey.Key{}, err
	}
	v.keyID = key.ID
	decision, err := s.Limiter.Allow(r.Context(), key.ID, now)
	if err != nil {
		return apikey.Key{}, err
	}
	announceLimits(w.Header(), decision)
	if !decision.Allowed {
		return apikey.Key{}, rateLimited(decision.RetryAfter())
	}
	return key, nil
}

// announceLimits writes the two fields of the IETF draft "RateLimit header
// fields for HTTP" (draft-ietf-httpapi-ratelimit-headers). The draft may still
// move, so it is known nowhere else.
func announceLimits(h http.Header, d ratelimit.Decision) {
	policy, state := make([]byte, 0, 48), make([]byte, 0, 48)
	for _, item := range []struct {
		name    string
		quota   ratelimit.Quota
		seconds int64
	}{{"minute", d.Minute, 60}, {"day", d.Day, 86400}} {
		if item.quota.Limit == 0 {
			continue
		}
		policy = appendItem(policy, item.name, "q", int64(item.quota.Limit), "w", item.seconds)
		state = appendItem(state, item.name, "r", int64(item.quota.Remaining), "t", seconds(item.quota.Reset))
	}
	if len(policy) > 0 {
		h.Set("RateLimit-Policy", string(policy))
		h.Set("RateLimit", string(state))
	}
}

// appendItem appends an item of a structured field (RFC 9651) with two
// parameters, behind a comma if it is not the first.
func appendItem(b []byte, name, key1 string, value1 int64, key2 string, value2 int64) []byte {
	if len(b) > 0 {
		b = append(b, ',')
	}
	b = strconv.AppendQuote(b, name)
	b = append(append(append(b, ';'), key1...), '=')
	b = strconv.AppendInt(b, value1, 10)
	b = append(append(append(b, ';'), key2...), '=')
	return strconv.AppendInt(b, value2, 10)
}
