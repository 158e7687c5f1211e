package dashboard

import "net/http"

// Setting is a setting of the service as it is in force. Whoever makes it masks
// what is secret.
type Setting struct {
	Name   string `json:"name"` // such as rate-day
	Value  string `json:"value"`
	Source string `json:"source"` // where the value comes from: a flag, a variable, a default
	Help   string `json:"-"`
}

// settingsView is the content of the page of settings.
type settingsView struct {
	page
	Settings []Setting
}

func (s *site) settingsPage(_ *http.Request, current session) (response, error) {
	return response{view: "settings", title: "Settings", content: settingsView{current.page("settings"), s.Settings}}, nil
}
