package negotiate

import (
	"net/http"
	"slices"
	"strings"
)

// previewers are lower-case parts of the User-Agent of programs that fetch a
// link to show a preview, as their makers name them. Like curl, they accept any
// media type; they read the head of a page.
var previewers = []string{
	"slackbot", "discordbot", "telegrambot", "whatsapp", "twitterbot", "facebookexternalhit", "linkedinbot", "skypeuripreview",
	"mattermost-bot", "rocket.chat", "zulipurlpreview", "synapse", "mastodon", "redditbot", "embedly", "iframely", "google-pagerenderer", "viber",
}

// IsLinkPreviewer reports whether a request is from a program that shows a
// preview of a link, in a chat or a feed.
func IsLinkPreviewer(h http.Header) bool {
	agent := strings.ToLower(h.Get("User-Agent"))
	return slices.ContainsFunc(previewers, func(name string) bool { return strings.Contains(agent, name) })
}
