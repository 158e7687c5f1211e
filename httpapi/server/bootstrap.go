package server

import (
	"context"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/dashboard"
)

// Bootstrap holds what [Server.Bootstrap] has created for a new store. Both
// fields are secrets that cannot be read again.
type Bootstrap struct {
	// Key is the first API key; empty if there was one.
	Key string
	// SetupToken allows the password of the dashboard to be set once, at
	// /dashboard/setup?token=…, within [dashboard.SetupLife]; empty if there is
	// a password or if none is allowed.
	SetupToken string
}

// Bootstrap stores the password of the options, and creates a first key and a
// token for the password if there are none.
func (s *Server) Bootstrap(ctx context.Context) (made Bootstrap, err error) {
	now := time.Now()
	empty, err := s.keys.Empty(ctx, now)
	if err != nil {
		return made, err
	}
	if empty {
		if made.Key, _, err = s.keys.Issue(ctx, "first key", now, apikey.Options{}); err != nil {
			return made, err
		}
	}
	if err := dashboard.Provide(ctx, s.options.Backend, s.options.AdminPassword, now); err != nil {
		return made, err
	}
	if s.options.NoPassword {
		return made, nil
	}
	made.SetupToken, err = dashboard.NewSetup(ctx, s.options.Backend, now)
	return made, err
}
