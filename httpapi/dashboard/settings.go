package dashboard

import "net/http"

// Setting is an effective setting of the service. The caller must mask secrets.
type Setting struct {
	Name   string `json:"name"` // such as rate-day
	Value  string `json:"value"`
	Source string `json:"source"` // origin of the value: a flag, a variable or a default
	Help   string `json:"-"`
}

// settingsView is the content of the settings page.
type settingsView struct {
	page
	Settings []Setting
}

func (s *site) settingsPage(_ *http.Request, current session) (response, error) {
	return response{view: "settings", title: "Settings", content: settingsView{current.page("settings"), s.Settings}}, nil
}
