package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// report builds a Markdown document.
type report struct{ strings.Builder }

func (r *report) line(format string, args ...any) { _, _ = fmt.Fprintf(r, format+"\n", args...) }

// markdown returns the report: a table for each workload, size and phase, and one of the executables. Each figure is
// the median of the rounds.
func (r results) markdown() string {
	var text report
	text.line("Kubernetes %s, %s, %s, backend %q, commit %s. Times in seconds, memory in MB, requests per object.\n",
		r.Kubernetes, r.CLI, r.Machine, r.Backend, r.Commit)
	for _, s := range r.series() {
		for _, size := range s.sizes() {
			for _, p := range s.phases() {
				s.costs(&text, p, size)
			}
			s.states(&text, size)
		}
	}
	text.line("### executables\n")
	text.line("| | MB | ms from start to schema |\n|---|---|---|")
	for _, e := range r.Executables {
		text.line("| %s | %s | %d |", e.Contender, megabytes(e.Bytes), e.Startup.Milliseconds())
	}
	return text.String()
}

// title returns the title of a table.
func (s series) title(what string, size int) string {
	if s.single {
		return fmt.Sprintf("%s, an object of %d %s%s", what, size, s.Name, s.away())
	}
	return fmt.Sprintf("%s, %d %s%s", what, size, s.Name, s.away())
}

// costs writes the table of a phase.
func (s series) costs(text *report, p phase, size int) {
	text.line("### %s\n", s.title(p.Name, size))
	text.line("| | wall | x floor | CPU CLI | CPU provider | peak MB | with CLI | requests | wrong diffs | errors |")
	text.line("|---|---|---|---|---|---|---|---|---|---|")
	for _, contender := range s.contenders() {
		rounds := s.rounds(contender, p.Name, size)
		if len(rounds) == 0 { // The benchmark ended before this phase.
			continue
		}
		text.line("| %s | %.2f | %.2f | %.2f | %.2f | %s | %s | %s | %d | %d |", contender,
			typical(rounds, wall).Seconds(), s.times(contender, floor, p.Name, size),
			typical(rounds, func(m measurement) time.Duration { return m.CLI }).Seconds(),
			typical(rounds, func(m measurement) time.Duration { return m.Provider }).Seconds(),
			megabytes(typical(rounds, peak)),
			megabytes(typical(rounds, func(m measurement) int64 { return m.PeakCLI })),
			s.requests(rounds[0]),
			typical(rounds, func(m measurement) int { return m.WrongDiffs }),
			typical(rounds, func(m measurement) int { return m.Errors }))
	}
	text.line("")
}

// states writes the table of the sizes of states.
func (s series) states(text *report, size int) {
	text.line("### %s\n", s.title("state after the creation", size))
	text.line("| | bytes per object | of them private state |\n|---|---|---|")
	for _, contender := range s.contenders() {
		rounds := s.rounds(contender, "create apply", size)
		if len(rounds) == 0 || clients[contender].args != nil { // which has no state
			continue
		}
		text.line("| %s | %d | %d |", contender,
			typical(rounds, func(m measurement) int { return m.StateBytes })/s.count(size),
			typical(rounds, func(m measurement) int { return m.PrivateBytes })/s.count(size))
	}
	text.line("")
}

func wall(m measurement) time.Duration { return m.Wall }
func used(m measurement) time.Duration { return m.CLI + m.Provider }
func peak(m measurement) int64         { return m.PeakMemory }

// megabytes returns a number of bytes in megabytes; "" for 0.
func megabytes(bytes int64) string {
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", float64(bytes)/1e6)
}

// requests returns the requests per object by verb, and the number of discovery requests.
func (s series) requests(m measurement) string {
	var parts []string
	for _, verb := range slices.Sorted(maps.Keys(m.Requests)) {
		if verb != discovery {
			parts = append(parts, fmt.Sprintf("%.4g %s", float64(m.Requests[verb])/float64(s.count(m.Size)), verb))
		}
	}
	text := strings.Join(parts, ", ")
	if count := m.Requests[discovery]; count > 0 {
		text += fmt.Sprintf("; discovery: %d in all", count)
	}
	return strings.TrimPrefix(text, "; ")
}
