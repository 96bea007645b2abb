package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"slices"
	"time"
)

// lastFile is the name of the file with the last figures.
const lastFile = "last.json"

// figures are the last measured figures of this provider and of Terraform alone, by what was measured.
type figures map[string]figure

// figure is the medians of a phase, and the commit that they were measured at.
type figure struct {
	Commit string `json:"commit"`
	// Wall and CPU, of CLI and provider, are in seconds.
	Wall float64 `json:"wall"`
	CPU  float64 `json:"cpu"`
	// Memory is the peak of the provider in MB.
	Memory   float64 `json:"memory"`
	Requests int     `json:"requests"`
	// State is in bytes.
	State int `json:"state"`
}

// figures returns the figures of this provider, and of Terraform alone, which show how fast the machine is.
func (r results) figures() figures {
	found := figures{}
	for _, s := range r.series() {
		for _, contender := range []string{floor, ours, oursAsSet} {
			for _, p := range s.phases() {
				for _, size := range s.sizes() {
					rounds := s.rounds(contender, p.Name, size)
					if len(rounds) == 0 {
						continue
					}
					key := fmt.Sprintf("%s, %s, backend %s", s.title(p.Name, size), contender, r.Backend)
					found[key] = r.figure(rounds)
				}
			}
		}
	}
	return found
}

func (r results) figure(rounds []measurement) figure {
	return figure{
		Commit: r.Commit,
		Wall:   seconds(typical(rounds, wall)),
		CPU:    seconds(typical(rounds, used)),
		Memory: float64(typical(rounds, peak) / 1e6),
		Requests: typical(rounds, func(m measurement) int {
			sum := 0
			for _, count := range m.Requests {
				sum += count
			}
			return sum
		}),
		State: typical(rounds, func(m measurement) int { return m.StateBytes }),
	}
}

// seconds returns a time in seconds, in steps of ten milliseconds.
func seconds(d time.Duration) float64 {
	return d.Round(10 * time.Millisecond).Seconds()
}

// over returns these figures, and the older ones of what was not measured.
func (f figures) over(older figures) figures {
	all := maps.Clone(older)
	maps.Copy(all, f)
	return all
}

// beside returns a table of these figures as multiples of older ones.
func (f figures) beside(older figures) string {
	var text report
	text.line("### beside the last figures\n")
	text.line("| | wall | times | CPU | times | MB | times | requests | before | state | before | measured at |")
	text.line("|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, key := range slices.Sorted(maps.Keys(f)) {
		now, last := f[key], older[key]
		if last.Commit == "" {
			continue
		}
		text.line("| %s | %.2f | %.2f | %.2f | %.2f | %.0f | %.2f | %d | %d | %d | %d | %s |", key, now.Wall,
			now.Wall/last.Wall, now.CPU, now.CPU/last.CPU, now.Memory, now.Memory/max(last.Memory, 1), now.Requests,
			last.Requests, now.State, last.State, last.Commit)
	}
	return text.String()
}

// encode returns the figures as JSON with one line for each.
func (f figures) encode() ([]byte, error) {
	var text bytes.Buffer
	text.WriteString("{")
	for i, key := range slices.Sorted(maps.Keys(f)) {
		name, failed := json.Marshal(key)
		value, err := json.Marshal(f[key])
		if err = errors.Join(failed, err); err != nil {
			return nil, err
		}
		if i > 0 {
			text.WriteString(",")
		}
		fmt.Fprintf(&text, "\n%s: %s", name, value)
	}
	text.WriteString("\n}\n")
	return text.Bytes(), nil
}

// readFigures reads the last figures; none without that file.
func readFigures(path string) (figures, error) {
	found := figures{}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	if err != nil {
		return nil, fmt.Errorf("read the last figures: %w", err)
	}
	return found, nil
}

// commit returns the commit of the working tree, with "+" if something in it is not committed.
func commit(ctx context.Context) string {
	text, err := exec.CommandContext(ctx, "git", "describe", "--always", "--exclude=*", "--dirty=+").Output()
	if err != nil {
		return "unknown"
	}
	return string(bytes.TrimSpace(text))
}
