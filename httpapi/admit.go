package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
)

// admit checks the key and the rate. Every answer behind it tells the rate.
func (s *server) admit(w http.ResponseWriter, r *http.Request) (apikey.Key, error) {
	secret := r.Header.Get("X-API-Key")
	if secret == "" {
		return apikey.Key{}, missingKey
	}
	now := s.Now()
	key, err := s.Keys.Check(r.Context(), secret, now)
	if errors.Is(err, apikey.ErrInvalid) {
		return apikey.Key{}, invalidKey
	}
	if err != nil {
		return apikey.Key{}, err
	}
	noteKey(r, key.ID)
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
	var policy, state []string
	for _, item := range []struct {
		name    string
		quota   ratelimit.Quota
		seconds int
	}{{"minute", d.Minute, 60}, {"day", d.Day, 86400}} {
		if item.quota.Limit == 0 {
			continue
		}
		policy = append(policy, fmt.Sprintf("%q;q=%d;w=%d", item.name, item.quota.Limit, item.seconds))
		state = append(state, fmt.Sprintf("%q;r=%d;t=%d", item.name, item.quota.Remaining, seconds(item.quota.Reset)))
	}
	if len(policy) > 0 {
		h.Set("RateLimit-Policy", strings.Join(policy, ","))
		h.Set("RateLimit", strings.Join(state, ","))
	}
}
