package mask_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/mask"
)

// hostile are texts that make a naive scanner rescan the rest at each offset:
// beginnings without an end, and nested values.
var hostile = map[string]string{
	"names":       "password=$",
	"nested":      `password=\"'`,
	"quotes":      `password="`,
	"deep quotes": `token=\\\"`,
	"names alone": "password ",
	"blanks":      "password                                ",
	"one run":     "a",
	"pem":         "-----BEGIN PRIVATE KEY-----",
	"pem lines":   "-----BEGIN PRIVATE KEY-----\n",
	"jwt":         "eyJ.",
	"jwt headers": "eyJhbGciOiJub25lIn0.",
	"urls":        "http://a:",
	"authority":   "x:b@",
	"backslashes": `\`,
	"escapes":     "\x1b[",
	"elements":    "<password>",
	"cookies":     "Cookie: a=b; ",
	"basic":       "Basic QUFB",
	"marks":       "[masked: ",
	"flags":       "--token ",
	"secrets":     "password=hunter2 ",
}

func BenchmarkSecrets(b *testing.B) {
	logs := map[string]string{}
	for _, name := range []string{"log4j", "slog-json", "logfmt", "access-combined", "python-asctime"} {
		data, err := os.ReadFile("../logs/testdata/cases/" + name + ".log")
		require.NoError(b, err)
		logs[name] = string(data)
	}
	for name, text := range hostile {
		logs["hostile "+name] = text
	}
	for name, text := range logs {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat(text, 500_000/len(text))
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				mask.Secrets(text, mask.Options{Limit: 500_000})
			}
		})
	}
}
