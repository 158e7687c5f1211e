// The settings of the studio as requests to the API.

const defaults = {
  theme: 'dracula',
  background: 'linear-gradient(135deg, #667eea 0%, #764ba2 100%)',
  padding: 64,
  fontSize: 14,
  lineNumbers: true,
  windowControls: true,
  windowTitle: '',
  borderRadius: 12,
  shadow: true,
  language: '',
};

function body(config) {
  const kept = Object.entries(config).filter(([name, value]) => value !== defaults[name]);
  return JSON.stringify(Object.fromEntries(kept));
}

export function asCurl(url, config, scale) {
  const quoted = body(config).replaceAll("'", "'\\''");
  return `curl '${url}?scale=${scale}' \\
  -H 'X-API-Key: YOUR_KEY' \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: image/png' \\
  -o code.png \\
  -d '${quoted}'
`;
}

// inGo writes text as a string of Go, whose source may not hold a byte order
// mark.
const inGo = (text) => JSON.stringify(text).replaceAll('\ufeff', '\\ufeff');

export function asGo(url, config, scale) {
  return `package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := strings.NewReader(${inGo(body(config))})
	request, err := http.NewRequest(http.MethodPost, ${inGo(`${url}?scale=${scale}`)}, body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("X-API-Key", os.Getenv("DEVKILN_KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "image/png")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		log.Fatal(response.Status)
	}
	file, err := os.Create("code.png")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(file, response.Body); err != nil {
		log.Fatal(err)
	}
	if err := file.Close(); err != nil {
		log.Fatal(err)
	}
}
`;
}
