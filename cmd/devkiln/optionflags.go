package main

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/nearest"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/slugify"
)

// newCommands returns the command line before it is parsed.
func newCommands() *commands {
	return &commands{
		Log:        logCmd{upload: upload{Plugins: optionFlags(option.Of[share.LogOptions]())}},
		Snippet:    snippetCmd{upload{Plugins: optionFlags(option.Of[share.SnippetOptions]())}},
		Gradient:   gradientCmd{Plugins: optionFlags(option.Of[gradient.Options]())},
		Slug:       slugCmd{Plugins: optionFlags(option.Of[slugify.Options]())},
		Screenshot: screenshotCmd{Plugins: optionFlags(option.Of[screenshot.Options]())},
		Languages:  listCmd{rows: languages},
		Formats:    listCmd{rows: formats},
	}
}

// optionFlags returns a struct with a flag for each option of a table, in
// order. Kong adds its flags to those of the command.
func optionFlags[O any](table option.Table[O]) kong.Plugins {
	var fields []reflect.StructField
	for i, r := range table {
		kind, more := reflect.TypeFor[*string](), ""
		switch {
		case r.Kind == option.Switch && r.Default == "on":
			kind, more = reflect.TypeFor[*bool](), ` negatable:""`
		case r.Kind == option.Switch:
			kind = reflect.TypeFor[*bool]()
		case r.Kind == option.List || r.Kind == option.Map:
			kind, more = reflect.TypeFor[[]string](), ` sep:"none"`
		}
		help := strings.Replace(r.Doc, "of the server", "of --fonts or --system-fonts", 1) + "."
		if r.Default != "" {
			help += " Default: " + r.Default
		}
		names := slices.DeleteFunc(slices.Clone(r.Aliases), func(alias string) bool { return strings.Contains(alias, "=") })
		tag := fmt.Sprintf(`name:%q help:%q placeholder:%q aliases:%q`, r.Flag, help, placeholderOf(r), strings.Join(names, ",")) + more
		if r.Short != "" {
			tag += fmt.Sprintf(` short:%q`, r.Short)
		}
		if r.Kind == option.Name || r.Kind == option.Choice {
			tag += fmt.Sprintf(` values:%q`, strings.Join(r.Values, ","))
		}
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("Option%d", i), Type: kind, Tag: reflect.StructTag(tag)})
	}
	return kong.Plugins{reflect.New(reflect.StructOf(fields)).Interface()}
}

// placeholderOf returns the placeholder for the value of an option.
func placeholderOf[O any](r option.Option[O]) string {
	few := len(r.Values) > 0 && len(r.Values) <= 8
	switch {
	case r.Kind == option.Switch:
		return ""
	case r.Kind == option.Choice && few:
		return strings.Join(r.Values, "|")
	case (r.Kind == option.Integer || r.Kind == option.Number) && r.Max == 0:
		return "N"
	case r.Kind == option.Integer || r.Kind == option.Number:
		return fmt.Sprintf("%g..%.0f", r.Min, r.Max)
	default:
		return r.Example
	}
}

// flagValues returns the values of the flags that were given, by the names of
// the options.
func flagValues[O any](table option.Table[O], flags kong.Plugins) url.Values {
	fields := reflect.ValueOf(flags[0]).Elem()
	values := make(url.Values)
	for i, r := range table {
		switch given := fields.Field(i).Interface().(type) {
		case *bool:
			if given != nil {
				values.Set(r.Name, strconv.FormatBool(*given))
			}
		case *string:
			if given != nil {
				values.Set(r.Name, *given)
			}
		case []string:
			if len(given) > 0 {
				values[r.Name] = given
			}
		}
	}
	return values
}

// readFlags returns the options that the flags set. The error joins those of
// the flags with those of validate, one for each option.
func readFlags[O any](table option.Table[O], flags kong.Plugins, validate func(O) error) (o O, err error) {
	values := flagValues(table, flags)
	unread, _ := invalid.Of(table.SetQuery(&o, values))
	illegal, _ := invalid.Of(validate(o))
	return o, flagErrors(table, unread.With(illegal), values)
}

// checkOptions returns the validation of options by their table alone.
func checkOptions[O any](table option.Table[O]) func(O) error {
	return func(o O) error { return table.Check(&o).Err() }
}

// flagErrors returns the errors of faults with flags in place of the names of options.
// What is no option, such as colors[1], keeps its name.
func flagErrors[O any](table option.Table[O], faults invalid.Faults, values url.Values) error {
	var errs []error
	for _, f := range faults {
		field, _, _ := strings.Cut(f.Field, "[")
		flag := f.Field
		r, ok := table.Lookup(field)
		if ok {
			flag = "--" + r.Flag
		}
		if given := values[field]; len(given) > 0 {
			flag += " " + strconv.Quote(strings.Join(given, ","))
			if !strings.Contains(f.Message, "did you mean") {
				f.Message += nearest.Question(values.Get(field), r.Values)
			}
		}
		errs = append(errs, fmt.Errorf("%s: %s", flag, strings.Replace(f.Message, "another known theme", "another of devkiln themes", 1)))
	}
	return errors.Join(errs...)
}
