package server

import (
	"context"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/dashboard"
)

// Bootstrap stores the password of the options. In a new store it creates two
// secrets, which cannot be read again: the first API key, and a token with which
// the password of the dashboard can be set once, at /dashboard/setup?token=…,
// within [dashboard.SetupLife]. Key is empty if there is a key, and setupToken
// if there is a password or if none is allowed.
func (s *Server) Bootstrap(ctx context.Context) (key, setupToken string, err error) {
	now := time.Now()
	empty, err := s.keys.Empty(ctx, now)
	if err != nil {
		return "", "", err
	}
	if empty {
		if key, _, err = s.keys.Issue(ctx, "first key", now, apikey.Options{}); err != nil {
			return "", "", err
		}
	}
	if err := dashboard.Provide(ctx, s.options.Backend, s.options.AdminPassword, now); err != nil {
		return key, "", err
	}
	if s.options.NoPassword {
		return key, "", nil
	}
	setupToken, err = dashboard.NewSetup(ctx, s.options.Backend, now)
	return key, setupToken, err
}
