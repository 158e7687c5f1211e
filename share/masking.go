package share

import "github.com/devkiln/devkiln/share/mask"

// mask masks and counts the secrets in a content and a title, if the service
// masks or asked is set. Neither becomes longer than its limit in code points.
func (s *Service) mask(asked bool, content *string, maxContent int, title *string, maxTitle int) mask.Found {
	if !s.masks && !asked {
		return nil
	}
	var found, more mask.Found
	*content, found = mask.Secrets(*content, mask.Options{Limit: maxContent})
	*title, more = mask.Secrets(*title, mask.Options{Limit: maxTitle})
	return found.Plus(more)
}
