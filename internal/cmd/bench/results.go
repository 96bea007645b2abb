package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"time"
)

// results are the results of a run of this command.
type results struct {
	Kubernetes string `json:"kubernetes"`
	CLI        string `json:"cli"`
	Machine    string `json:"machine"`
	// Backend is the type of Terraform's backend, in which the CLI keeps the state.
	Backend backend `json:"backend"`
	// Commit is the commit of this provider.
	Commit       string        `json:"commit"`
	Executables  []executable  `json:"executables"`
	Measurements []measurement `json:"measurements"`
}

// executable is the cost of a provider before its first request.
type executable struct {
	Contender string `json:"contender"`
	Bytes     int64  `json:"bytes"`
	// Startup is the median time from the start of the process until it has returned its schema.
	Startup time.Duration `json:"startup_ns"`
}

// startupRounds is the number of starts that are measured.
const startupRounds = 11

// weigh returns the size and the startup time of the contenders' executables.
func weigh(ctx context.Context, contenders []contender) ([]executable, error) {
	var found []executable
	for _, c := range contenders {
		if c.idle() || c.Name == oursAsSet || c.isClient() {
			continue // It has the executable of another contender, or is no provider.
		}
		info, err := os.Stat(c.executable)
		if err != nil {
			return nil, err
		}
		var starts []time.Duration
		for range startupRounds {
			took, err := startup(ctx, c.executable)
			if err != nil {
				return nil, err
			}
			starts = append(starts, took)
		}
		found = append(found, executable{Contender: c.Name, Bytes: info.Size(), Startup: median(starts)})
	}
	return found, nil
}

// median returns the median of values, the lower one of two, and zero without values.
func median[T cmp.Ordered](values []T) (middle T) {
	if len(values) == 0 {
		return middle
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}

// series are the measurements of one workload at one distance from the API server.
type series struct {
	workload
	delay        time.Duration
	measurements []measurement
}

// series returns the series of each workload and each distance that were measured.
func (r results) series() []series {
	var found []series
	for _, load := range workloads {
		for _, delay := range r.delays() {
			part := series{workload: load, delay: delay}
			for _, m := range r.Measurements {
				if m.Workload == load.Name && m.Delay == delay {
					part.measurements = append(part.measurements, m)
				}
			}
			if len(part.measurements) > 0 {
				found = append(found, part)
			}
		}
	}
	return found
}

// delays returns the delays that were measured, in order.
func (r results) delays() []time.Duration {
	var found []time.Duration
	for _, m := range r.Measurements {
		found = append(found, m.Delay)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// away is how far the API server is: "", or ", 50 ms away" for a round trip of 50 ms.
func (s series) away() string {
	if s.delay == 0 {
		return ""
	}
	return fmt.Sprintf(", %d ms away", 2*s.delay.Milliseconds())
}

// sizes returns the sizes that were measured, in order.
func (s series) sizes() []int {
	var found []int
	for _, m := range s.measurements {
		found = append(found, m.Size)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// phases returns the phases that were measured.
func (s series) phases() []phase {
	return slices.DeleteFunc(slices.Clone(phases), func(p phase) bool {
		return !slices.ContainsFunc(s.measurements, func(m measurement) bool { return m.Phase == p.Name })
	})
}

// contenders returns the contenders that were measured, in the order of their measurements.
func (s series) contenders() []string {
	var found []string
	for _, m := range s.measurements {
		if !slices.Contains(found, m.Contender) {
			found = append(found, m.Contender)
		}
	}
	return found
}

func (s series) rounds(contender, phase string, size int) []measurement {
	var found []measurement
	for _, m := range s.measurements {
		if m.Contender == contender && m.Phase == phase && m.Size == size {
			found = append(found, m)
		}
	}
	return found
}

// typical returns the median over the rounds of the value that of returns.
func typical[T cmp.Ordered](rounds []measurement, of func(measurement) T) T {
	var values []T
	for _, m := range rounds {
		values = append(values, of(m))
	}
	return median(values)
}

// times returns the median over the rounds of the wall time as a multiple of that of another contender in the same
// round; zero without a common round.
func (s series) times(contender, other, phase string, size int) float64 {
	var ratios []float64
	for _, m := range s.rounds(contender, phase, size) {
		for _, o := range s.rounds(other, phase, size) {
			if o.Round == m.Round {
				ratios = append(ratios, m.Wall.Seconds()/o.Wall.Seconds())
			}
		}
	}
	return median(ratios)
}
