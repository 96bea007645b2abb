package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// markdown is the report: a table for each phase and number of objects, and one of the executables. Each figure is the
// median of the rounds.
func (r results) markdown() string {
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	line("Kubernetes %s, %s, %s. Times in seconds, memory in MB, requests per object.\n", r.Kubernetes, r.CLI, r.Machine)
	for _, count := range r.counts() {
		for _, p := range r.phases() {
			line("### %s, %d objects\n", p.Name, count)
			line("| | wall | x floor | CPU CLI | CPU provider | peak MB | requests | wrong diffs | errors |")
			line("|---|---|---|---|---|---|---|---|---|")
			least := typical(r.of(floor, p.Name, count), wall)
			for _, contender := range r.contenders() {
				rounds := r.of(contender, p.Name, count)
				took := typical(rounds, wall)
				line("| %s | %.2f | %.2f | %.2f | %.2f | %s | %s | %d | %d |", contender,
					took.Seconds(), took.Seconds()/least.Seconds(),
					typical(rounds, func(m measurement) time.Duration { return m.CLI }).Seconds(),
					typical(rounds, func(m measurement) time.Duration { return m.Provider }).Seconds(),
					megabytes(typical(rounds, peak)),
					perObject(rounds),
					typical(rounds, func(m measurement) int { return m.WrongDiffs }),
					typical(rounds, func(m measurement) int { return m.Errors }))
			}
			line("")
		}
		line("### state after the creation, %d objects\n", count)
		line("| | bytes per object | of them private state |\n|---|---|---|")
		for _, contender := range r.contenders() {
			rounds := r.of(contender, "create apply", count)
			line("| %s | %d | %d |", contender,
				typical(rounds, func(m measurement) int { return m.StateBytes })/count,
				typical(rounds, func(m measurement) int { return m.PrivateBytes })/count)
		}
		line("")
	}
	line("### executables\n")
	line("| | MB | ms from start to schema |\n|---|---|---|")
	for _, e := range r.Executables {
		line("| %s | %s | %d |", e.Contender, megabytes(e.Bytes), e.Startup.Milliseconds())
	}
	return text.String()
}

func wall(m measurement) time.Duration { return m.Wall }
func peak(m measurement) int64         { return m.PeakMemory }

// megabytes is "" for nothing.
func megabytes(bytes int64) string {
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", float64(bytes)/1e6)
}

// perObject are the requests of the first round by verb, divided by the number of objects, and those of discovery as
// they are.
func perObject(rounds []measurement) string {
	requests := rounds[0].Requests
	var parts []string
	for _, verb := range slices.Sorted(maps.Keys(requests)) {
		if verb != discovery {
			parts = append(parts, fmt.Sprintf("%.4g %s", float64(requests[verb])/float64(rounds[0].Objects), verb))
		}
	}
	text := strings.Join(parts, ", ")
	if count := requests[discovery]; count > 0 {
		text += fmt.Sprintf("; discovery: %d in all", count)
	}
	return strings.TrimPrefix(text, "; ")
}
