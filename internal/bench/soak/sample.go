package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"
)

// sample is the server's use of resources at a time, and the durations of the
// requests since the previous sample.
type sample struct {
	at     time.Duration
	values [4]float64 // values of the first gauges
	taken
}

// series is one figure of every sample.
type series struct {
	Name, Unit string
	of         func(sample) float64
	limit      float64 // maximum ratio of the last quarter to the second
}

// metrics are the names of the server's metrics for the first gauges.
var metrics = [...]string{"process_resident_memory_bytes", "go_goroutines", "process_open_fds"}

var gauges = []series{
	{"resident memory", "MB", func(s sample) float64 { return s.values[0] / 1e6 }, 1.15},
	{"goroutines", "", func(s sample) float64 { return s.values[1] }, 1.15},
	{"open files", "", func(s sample) float64 { return s.values[2] }, 1.15},
	{"write-ahead log", "MB", func(s sample) float64 { return s.values[3] / 1e6 }, 1.15},
	{"p99 of the contract", "ms", func(s sample) float64 { return s.p99("contract") }, 1.5},
	{"p99 of pages", "ms", func(s sample) float64 { return s.p99("page") }, 1.5},
	{"p99 of pictures", "ms", func(s sample) float64 { return s.p99("picture") }, 1.5},
	{"p99 of logs of 2 MB", "ms", func(s sample) float64 { return s.p99("large log") }, 1.5},
}

// p99 returns the 99th percentile in ms, or 0 without requests of the kind.
func (t taken) p99(kind string) float64 {
	all := slices.Sorted(slices.Values(t.durations[kind]))
	if len(all) == 0 {
		return 0
	}
	return float64(all[len(all)*99/100]) / 1e6
}

func (s sample) String() string {
	texts := []string{fmt.Sprintf("%7s", s.at.Round(time.Second))}
	for _, g := range gauges {
		texts = append(texts, strings.TrimSpace(fmt.Sprintf("%s %.1f %s", g.Name, g.of(s), g.Unit)))
	}
	if s.failed > 0 {
		texts = append(texts, fmt.Sprintf("%d failed, the last with %v", s.failed, s.failure))
	}
	return strings.Join(texts, ", ")
}

func (s *server) sample(ctx context.Context) (sample, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.metrics, nil)
	if err != nil {
		return sample{}, err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return sample{}, err
	}
	defer response.Body.Close()
	var result sample
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		if i := slices.Index(metrics[:], name); i >= 0 {
			if result.values[i], err = strconv.ParseFloat(value, 64); err != nil {
				return sample{}, err
			}
		}
	}
	logs, err := filepath.Glob(filepath.Join(s.folder, "*-wal"))
	for _, name := range logs {
		if info, err := os.Stat(name); err == nil {
			result.values[len(metrics)] += float64(info.Size())
		}
	}
	return result, err
}

// verdict logs each value of the second and the last quarter, and returns an
// error for each that grew too much.
func verdict(logger *log.Logger, samples []sample) error {
	var errs []error
	quarter := len(samples) / 4
	for _, g := range gauges {
		before, after := g.median(samples[quarter:2*quarter]), g.median(samples[len(samples)-quarter:])
		logger.Printf("%-20s %8.1f in the second quarter, %8.1f %s in the last", g.Name, before, after, g.Unit)
		if after > g.limit*before {
			errs = append(errs, fmt.Errorf("%s grew by more than %.2f", g.Name, g.limit))
		}
	}
	failed, sent := 0, 0
	for _, s := range samples {
		failed += s.failed
		for _, all := range s.durations {
			sent += len(all)
		}
	}
	logger.Printf("%d requests, %d failed", sent, failed)
	if failed > 0 {
		errs = append(errs, fmt.Errorf("%d requests failed", failed))
	}
	return errors.Join(errs...)
}

func (g series) median(samples []sample) float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = g.of(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

//go:embed plot.svg.tmpl
var plotText string

var plot = template.Must(template.New("plot").Parse(plotText))

// panel is a series as drawn, in a frame of 640 by 60.
type panel struct {
	series
	Y      int
	Most   string
	Points string
}

func writePlot(name string, samples []sample, perSecond float64) error {
	if name == "" {
		return nil
	}
	length := samples[len(samples)-1].at
	var panels []panel
	for i, g := range gauges {
		most := g.of(slices.MaxFunc(samples, func(a, b sample) int { return cmp.Compare(g.of(a), g.of(b)) }))
		var points strings.Builder
		for _, s := range samples {
			fmt.Fprintf(&points, "%.1f,%.1f ", 640*s.at.Seconds()/length.Seconds(), 60*(1-g.of(s)/max(most, 1e-9)))
		}
		panels = append(panels, panel{g, 48 + 96*i, fmt.Sprintf("%.0f %s", most, g.Unit), points.String()})
	}
	var drawn bytes.Buffer
	err := plot.Execute(&drawn, map[string]any{"Panels": panels, "Height": 48 + 96*len(panels), "Length": length.Round(time.Minute), "PerSecond": int(perSecond)})
	return errors.Join(err, os.WriteFile(name, drawn.Bytes(), 0o644))
}
