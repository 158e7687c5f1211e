package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/commandline"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/httpapi/server"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/store"
)

// settings holds the parsed flags and variables of serve.
type settings struct {
	server.Options
	staticKeys []string
	warning    string // about the certificate; may be empty
}

// limitMemory sets the runtime's memory limit unless GOMEMLIMIT is set. The rest of
// a container is for the binary, the store's cache and memory that is released late.
func (s settings) limitMemory(ctx context.Context) {
	_, err := memlimit.Set(memlimit.WithRatio(0.7))
	if err != nil && !errors.Is(err, memlimit.ErrNoCgroup) && !errors.Is(err, memlimit.ErrCgroupsNotSupported) {
		s.Log.WarnContext(ctx, "the memory of the container is not known; set GOMEMLIMIT", "error", err)
	}
}

// addSystemFonts adds the fonts of the system, if any.
func (s settings) addSystemFonts(ctx context.Context) {
	s.Fonts.AddSystem("", func(err error) { s.Log.InfoContext(ctx, "system fonts are not used", "reason", err) })
}

// settings returns the settings of the server, and refuses what it would refuse.
func (c serve) settings(env commandline.Environment) (set settings, err error) {
	set.Options = server.Options{
		Log: slog.New(slog.DiscardHandler), BaseURL: c.BaseURL, CORSOrigins: c.CORSOrigins, BearerTokens: c.BearerTokens, MCP: c.MCP,
		RateMinute: &c.RateMinute, RateDay: &c.RateDay, MaxExpiry: time.Duration(c.MaxExpiry), MaxLogBytes: int64(c.MaxLogBytes), MaxMemory: int64(c.MaxMemory),
		PublicSharing: c.PublicSharing, LinkPreviews: c.LinkPreviews, EmbedOrigins: c.EmbedOrigins, MaskSecrets: c.MaskSecrets, NoPictures: c.Pictures == "off",
		UserHeader: c.UserHeader, AdminUsers: c.AdminUsers, NoPassword: c.NoPassword, DrainDelay: c.DrainDelay,
	}
	for _, proxy := range c.TrustedProxies {
		set.TrustedProxies = append(set.TrustedProxies, netip.Prefix(proxy))
	}
	var errs []error
	if c.MaxStoreBytes != 0 && c.MaxStoreBytes < 1_000_000 { // an empty store and a few shares
		errs = append(errs, errors.New("--max-store-bytes must be at least 1000000, or 0 for no limit"))
	}
	set.Fonts, err = screenshot.LoadFonts(c.Fonts...)
	if err != nil {
		errs = append(errs, fmt.Errorf("--fonts: %w", errors.Unwrap(err)))
	}
	if c.Themes != "" {
		if set.Themes, err = highlight.LoadThemes(os.DirFS(c.Themes)); err != nil {
			errs = append(errs, fmt.Errorf("--themes %s: %s", c.Themes, strings.TrimPrefix(err.Error(), "open .: ")))
		}
	}
	errs = append(errs, c.readCertificate(&set))
	set.staticKeys, err = staticKeys(env)
	password, source, bad := env.Secret(commandline.AdminPasswordVariable)
	errs = append(errs, err, bad)
	set.AdminPassword = password
	probe := set.Options
	probe.Backend = store.NewMemory()
	if _, err := server.New(probe); err != nil {
		errs = append(errs, errors.New(strings.ReplaceAll(asFlags(err).Error(), "--admin-password the password", source)))
	}
	return set, errors.Join(errs...)
}

// readCertificate loads the certificate for HTTPS, if there is one.
func (c serve) readCertificate(set *settings) error {
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return errors.New("--tls-cert and --tls-key must be set together")
	}
	if c.TLSCert == "" {
		return nil
	}
	var err error
	if set.Certificate, err = server.LoadCertificate(c.TLSCert, c.TLSKey); err != nil {
		return asFlags(err)
	}
	set.warning = set.Certificate.Warning(time.Now())
	return nil
}

// staticKeys returns the API keys set in the environment.
func staticKeys(env commandline.Environment) (list []string, err error) {
	text, source, err := env.Secret(commandline.APIKeysVariable)
	if err != nil {
		return nil, err
	}
	for key := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ',' || c == '\n' || c == '\r' }) {
		if key = strings.TrimSpace(key); key != "" {
			list = append(list, key)
		}
	}
	if _, err := apikey.New(store.NewMemory(), list...); err != nil {
		return nil, fmt.Errorf("%s: %s", source, strings.TrimPrefix(err.Error(), "apikey: "))
	}
	return list, nil
}

// proxy is an address or a CIDR prefix.
type proxy netip.Prefix

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *proxy) UnmarshalText(text []byte) error {
	prefix, err := netip.ParsePrefix(string(text))
	if addr, notAddress := netip.ParseAddr(string(text)); notAddress == nil {
		prefix, err = addr.Prefix(addr.BitLen())
	}
	if err != nil {
		return fmt.Errorf("%q must be an address or a CIDR such as 10.0.0.0/8", text)
	}
	*p = proxy(prefix.Masked())
	return nil
}

// String formats the prefix.
func (p proxy) String() string { return netip.Prefix(p).String() }

// lifetime is a length of time in days such as 90d or a duration such as 12h30m,
// at most 100 years. Zero means none.
type lifetime time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *lifetime) UnmarshalText(text []byte) error {
	const longest = 100 * 365 * day
	d, err := time.ParseDuration(string(text))
	if digits, found := strings.CutSuffix(string(text), "d"); found {
		var days int
		days, err = strconv.Atoi(digits)
		d = time.Duration(min(days, int(longest/day)+1)) * day
	}
	if err != nil || d <= 0 || d > longest {
		return fmt.Errorf("%q must be days such as 90d or a duration such as 12h30m, at most 100 years", text)
	}
	*l = lifetime(d)
	return nil
}

// String formats the duration, in days if it has no smaller part.
func (l lifetime) String() string {
	if d := time.Duration(l); d%day != 0 {
		return d.String()
	}
	return fmt.Sprintf("%dd", time.Duration(l)/day)
}

const day = 24 * time.Hour

var wordEnd = regexp.MustCompile(`([a-z]|TLS|CORS)([A-Z])`)

// asFlags replaces the option names in an error with the names of their flags.
func asFlags(err error) error {
	faults, other := invalid.Of(err)
	if other != nil {
		return err
	}
	texts := make([]string, len(faults))
	for i, bad := range faults {
		texts[i] = "--" + strings.ToLower(wordEnd.ReplaceAllString(bad.Field, "$1-$2")) + " " + bad.Message
		texts[i] = strings.NewReplacer("a user header", "--user-header", "a trusted proxy", "--trusted-proxies, the address of the proxy", "--code ", "", "--patch ", "").Replace(texts[i])
	}
	return usageError{errors.New(strings.Join(texts, "; "))}
}

// configCmd prints the effective settings of the server.
type configCmd struct {
	serve
	JSON bool `name:"json" help:"Print JSON."`
}

// Run prints every setting of the server, without secrets, or says which of
// them cannot be used.
func (c configCmd) Run(ctx context.Context, p process, command *kong.Context, storeURL string) error {
	set, err := c.settings(p.env)
	if err != nil {
		return usageError{err}
	}
	if err := checkStoreURL(storeURL); err != nil {
		return usageError{err}
	}
	if set.warning != "" {
		_, _ = fmt.Fprintln(p.stderr, set.warning)
	}
	set.limitMemory(ctx)
	list, err := effectiveSettings(p.env, command, set)
	if err != nil {
		return usageError{err}
	}
	if c.JSON {
		return p.json(list)
	}
	rows := [][]string{{"SETTING", "VALUE", "SOURCE"}}
	for _, s := range list {
		rows = append(rows, []string{s.Name, cmp.Or(s.Value, "not set"), s.Source})
	}
	return p.table(rows...)
}

// effectiveSettings returns the server's settings and the source of each: a
// flag, a variable or the default. Secrets are omitted.
func effectiveSettings(env commandline.Environment, command *kong.Context, set settings) ([]dashboard.Setting, error) {
	var list []dashboard.Setting
	for _, flag := range slices.Concat(command.Model.Flags, command.Selected().Flags) {
		if commandline.VariableOf(flag) == "" {
			continue
		}
		s := dashboard.Setting{Name: flag.Name, Value: shown(flag), Source: source(env, command, flag), Help: flag.Help}
		if flag.Name == "max-memory" {
			s.Value = strconv.FormatInt(set.EffectiveMaxMemory(), 10)
		}
		list = append(list, s)
	}
	for _, secret := range []struct{ variable, name, help, shown string }{
		{commandline.APIKeysVariable, "api-keys", "Keys from the configuration, in " + commandline.APIKeysVariable + ".", fmt.Sprintf("%d, not shown", len(set.staticKeys))},
		{commandline.AdminPasswordVariable, "admin-password", "The password of this dashboard, if " + commandline.AdminPasswordVariable + " sets it.", "set, not shown"},
	} {
		s := dashboard.Setting{Name: secret.name, Help: secret.help, Source: "default"}
		value, from, err := env.Secret(secret.variable)
		if err != nil {
			return nil, err
		}
		if value != "" {
			s.Value, s.Source = secret.shown, from
		}
		list = append(list, s)
	}
	return list, nil
}

// shown returns the value of a flag without secrets.
func shown(flag *kong.Flag) string {
	value := flag.Target
	if value.Kind() == reflect.Slice {
		return strings.Join(option.Texts(value), ",")
	}
	if value.IsZero() && (value.Kind() == reflect.Int64 && !flag.HasDefault || value.Kind() == reflect.Pointer) {
		return ""
	}
	if value.Kind() == reflect.Pointer && value.Elem().Kind() != reflect.Struct {
		value = value.Elem()
	}
	if flag.Name == "store" {
		return withoutPassword(value.String())
	}
	return fmt.Sprint(value)
}

// valueOf returns the value of a flag unless it is secret or not given.
func valueOf(command *kong.Context, name string) (value string, ok bool) {
	if command != nil {
		for _, flag := range command.Flags() {
			if flag.Name == name && !flag.Tag.Has("secret") {
				return shown(flag), flag.Set
			}
		}
	}
	return "", false
}

// source returns where the value of a flag comes from.
func source(env commandline.Environment, command *kong.Context, flag *kong.Flag) string {
	for _, step := range command.Path {
		if step.Flag == nil || step.Flag.Name != flag.Name {
			continue
		}
		if !step.Resolved {
			return "flag"
		}
		name := commandline.VariableOf(flag)
		if _, found := env[name]; !found {
			name += "_FILE"
		}
		return name
	}
	return "default"
}
