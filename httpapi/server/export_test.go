package server

import "time"

// Reload reads the files of a certificate again, as maintenance does.
func Reload(c *Certificate) (changed bool, err error) { return c.reload() }

// NotAfter returns the time at which the certificate expires.
func NotAfter(c *Certificate) time.Time { return c.notAfter() }
