package main

import (
	"cmp"
	"context"
	"os"
	"slices"
	"time"
)

// results are what a run of this command found.
type results struct {
	Kubernetes string `json:"kubernetes"`
	CLI        string `json:"cli"`
	Machine    string `json:"machine"`
	// Backend is where the CLI keeps the state.
	Backend      backend       `json:"backend"`
	Executables  []executable  `json:"executables"`
	Measurements []measurement `json:"measurements"`
}

// executable is a provider before it does anything.
type executable struct {
	Contender string `json:"contender"`
	Bytes     int64  `json:"bytes"`
	// Startup is the median time from the start of the process until its schema is here.
	Startup time.Duration `json:"startup_ns"`
}

// startupRounds is how often a start is measured.
const startupRounds = 11

// weigh looks at the executables of the contenders.
func weigh(ctx context.Context, contenders []contender) ([]executable, error) {
	var found []executable
	for _, c := range contenders {
		if c.idle() {
			continue // no executables of their own
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

// median returns the middle one of values, the lower where there are two, and zero without one.
func median[T cmp.Ordered](values []T) (middle T) {
	if len(values) == 0 {
		return middle
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}

// series are the measurements of one workload.
type series struct {
	workload
	measurements []measurement
}

// series returns those that were measured.
func (r results) series() []series {
	var found []series
	for _, load := range workloads {
		part := series{workload: load}
		for _, m := range r.Measurements {
			if m.Workload == load.Name {
				part.measurements = append(part.measurements, m)
			}
		}
		if len(part.measurements) > 0 {
			found = append(found, part)
		}
	}
	return found
}

// sizes returns in order.
func (s series) sizes() []int {
	var found []int
	for _, m := range s.measurements {
		found = append(found, m.Size)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// phases returns those that were measured.
func (s series) phases() []phase {
	return slices.DeleteFunc(slices.Clone(phases), func(p phase) bool {
		return !slices.ContainsFunc(s.measurements, func(m measurement) bool { return m.Phase == p.Name })
	})
}

// contenders returns those that were measured, in the order in which they were.
func (s series) contenders() []string {
	var found []string
	for _, m := range s.measurements {
		if !slices.Contains(found, m.Contender) {
			found = append(found, m.Contender)
		}
	}
	return found
}

// rounds returns the measurements of one phase of one contender.
func (s series) rounds(contender, phase string, size int) []measurement {
	var found []measurement
	for _, m := range s.measurements {
		if m.Contender == contender && m.Phase == phase && m.Size == size {
			found = append(found, m)
		}
	}
	return found
}

// typical returns the median over the rounds of what of picks.
func typical[T cmp.Ordered](rounds []measurement, of func(measurement) T) T {
	var values []T
	for _, m := range rounds {
		values = append(values, of(m))
	}
	return median(values)
}
