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
	Kubernetes   string        `json:"kubernetes"`
	CLI          string        `json:"cli"`
	Machine      string        `json:"machine"`
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
		if c.executable == "" {
			continue
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

// median is the middle one of values, the lower where there are two.
func median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}

// counts are the numbers of objects, from the smallest to the largest.
func (r results) counts() []int {
	var found []int
	for _, m := range r.Measurements {
		found = append(found, m.Objects)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// phases are those that were measured.
func (r results) phases() []phase {
	return slices.DeleteFunc(slices.Clone(phases), func(p phase) bool {
		return !slices.ContainsFunc(r.Measurements, func(m measurement) bool { return m.Phase == p.Name })
	})
}

// contenders are those that were measured, in the order in which they were.
func (r results) contenders() []string {
	var found []string
	for _, m := range r.Measurements {
		if !slices.Contains(found, m.Contender) {
			found = append(found, m.Contender)
		}
	}
	return found
}

// of returns the rounds of one phase of one contender.
func (r results) of(contender, phase string, objects int) []measurement {
	var found []measurement
	for _, m := range r.Measurements {
		if m.Contender == contender && m.Phase == phase && m.Objects == objects {
			found = append(found, m)
		}
	}
	return found
}

// typical is the median over the rounds of what of picks.
func typical[T cmp.Ordered](rounds []measurement, of func(measurement) T) T {
	var values []T
	for _, m := range rounds {
		values = append(values, of(m))
	}
	return median(values)
}
