// Command soak keeps a server busy for a long time and reports whether its use
// of resources stays constant. In the folder internal/bench,
//
//	go run ./soak -for 60m                            reports it
//	go run ./soak -for 60m -plot ../../docs/internals/soak.svg  plots it, too
//
// It builds devkiln, runs it on SQLite as a separate process, finds its
// capacity in requests of a mix per second, and then sends a fraction of that
// at a constant rate, without waiting for responses. The mix is pages,
// pictures, logs of 10 KB and 2 MB, and the cases of the contract that a server
// with default settings passes; see mix.go.
//
// It first fills the caches of recently read data, whose size is bounded,
// because they grow no further; nothing else is excluded.
//
// No measurement may grow from the second quarter of the time to the last,
// median against median: see limits. A request that fails is an error.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"time"
)

const (
	key     = "a-key-that-soaks-the-service"
	callers = 64               // maximum number of concurrent requests
	warming = 20 * time.Second // time to find the capacity
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) (err error) {
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	length := flags.Duration("for", time.Hour, "how long")
	share := flags.Float64("share", 0.7, "the share of the capacity that is asked for, above 0 and up to 1")
	every := flags.Duration("every", 10*time.Second, "how often a sample is taken")
	plotFile := flags.String("plot", "", "draw the samples into this `file`, SVG")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *share <= 0 || *share > 1 || *every < time.Second || *length < 8**every {
		return errors.New("-share lies above 0 and up to 1, -every is 1s or more, and -for is 8 times that or more")
	}
	folder, err := os.MkdirTemp("", "soak-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	s, err := start(ctx, folder)
	if err != nil {
		return err
	}
	defer s.stop()
	m, err := newMix(ctx, s.address)
	if err != nil {
		return err
	}
	if err := m.fillCaches(ctx); err != nil {
		return err
	}
	capacity := m.capacity(ctx, warming)
	fmt.Printf("%d cases of the contract; %.0f requests a second are its capacity, %.0f are sent\n", len(m.cases), capacity, capacity**share)

	samples, err := soak(ctx, s, m, capacity**share, *length, *every)
	if err != nil {
		return err
	}
	if err := writePlot(*plotFile, samples, capacity**share); err != nil {
		return err
	}
	return verdict(log.New(os.Stdout, "", 0), samples)
}

// soak sends perSecond requests a second and takes the samples.
func soak(ctx context.Context, s *server, m *mix, perSecond float64, length, every time.Duration) ([]sample, error) {
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	var sending sync.WaitGroup
	sending.Go(func() { m.send(ctx, perSecond) })
	defer sending.Wait()
	var samples []sample
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for began := time.Now(); ; {
		select {
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.Canceled) {
				return nil, ctx.Err()
			}
			return samples, nil
		case <-s.ended:
			return nil, errors.New("the server ended")
		case now := <-ticker.C:
			taken, err := s.sample(ctx)
			if ctx.Err() != nil {
				continue
			}
			if err != nil {
				return nil, err
			}
			taken.at = now.Sub(began)
			taken.taken = m.take()
			samples = append(samples, taken)
			fmt.Println(taken)
		}
	}
}

// server is a running devkiln.
type server struct {
	address, metrics string // URLs
	folder           string
	process          *os.Process
	ended            chan struct{}
}

var (
	listening  = regexp.MustCompile(`listens on (http://\S+)`)
	measuresAt = regexp.MustCompile(`msg=metrics address=(\S+)`)
)

// start builds devkiln into a folder and runs it on a store there.
func start(ctx context.Context, folder string) (*server, error) {
	binary := filepath.Join(folder, "devkiln")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/devkiln")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	command := exec.CommandContext(ctx, binary, "serve", "--listen=127.0.0.1:0", "--metrics-listen=127.0.0.1:0", "--no-access-log",
		"--trusted-proxies=127.0.0.1", "--public-sharing", "--rate-minute=0", "--rate-day=0", "--store=sqlite:"+filepath.Join(folder, "soak.db"))
	command.Env = append(os.Environ(), "DEVKILN_API_KEYS="+key)
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	command.Stderr = command.Stdout
	if err := command.Start(); err != nil {
		return nil, err
	}
	s := &server{folder: folder, process: command.Process, ended: make(chan struct{})}
	lines := bufio.NewScanner(out)
	for (s.address == "" || s.metrics == "") && lines.Scan() {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			s.address = found[1]
		}
		if found := measuresAt.FindStringSubmatch(lines.Text()); found != nil {
			s.metrics = found[1]
		}
	}
	go func() {
		_, _ = io.Copy(os.Stderr, out)
		_ = command.Wait()
		close(s.ended)
	}()
	if s.address == "" || s.metrics == "" {
		return nil, errors.New("the server does not start")
	}
	return s, nil
}

func (s *server) stop() {
	_ = s.process.Signal(syscall.SIGTERM)
	<-s.ended
}
