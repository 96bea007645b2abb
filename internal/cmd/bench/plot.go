package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// plotColumns is the number of panels in a row.
const plotColumns = 3

// panel is one plot, as the command plot reads it.
type panel struct {
	Title string `json:"title"`
	X     string `json:"x"`
	Y     string `json:"y"`
	Lines []line `json:"lines"`
}

// line is a line of a panel, for a contender. One of a contender that the panel is not about has no points.
type line struct {
	Name   string       `json:"name"`
	Points [][2]float64 `json:"points"`
}

// plotAll writes an SVG for one workload. It has a panel for each phase, which shows the wall time per unit of the
// workload (object, item or key), and a panel for the peak memory of the providers, and the same for each distance.
func plotAll(path string, distances []series) error {
	var panels []*panel
	for _, s := range distances {
		panels = append(panels, s.panels()...)
		for len(panels)%plotColumns > 0 {
			panels = append(panels, nil)
		}
	}
	text, err := json.Marshal(slices.Collect(slices.Chunk(panels, plotColumns)))
	if err != nil {
		return err
	}
	drawn, err := draw(context.Background(), text)
	if err != nil {
		return err
	}
	return os.WriteFile(path, drawn, 0o600)
}

// draw returns what the command plot makes of panels. The command is in a module of its own, below this package.
func draw(ctx context.Context, panels []byte) ([]byte, error) {
	const here = "github.com/k8sconnect/terraform-provider-k8sconnect/internal/cmd/bench"
	folder, err := exec.CommandContext(ctx, "go", "list", "-f", "{{.Dir}}", here).Output()
	if err != nil {
		return nil, fmt.Errorf("find the command plot: %w", err)
	}
	run := exec.CommandContext(ctx, "go", "run", "-C", filepath.Join(strings.TrimSpace(string(folder)), "plot"), ".")
	var out, says bytes.Buffer
	run.Stdin, run.Stdout, run.Stderr = bytes.NewReader(panels), &out, &says
	if err := run.Run(); err != nil {
		return nil, fmt.Errorf("plot: %w\n%s", err, says.Bytes())
	}
	return out.Bytes(), nil
}

// panels returns the panels of one distance.
func (s series) panels() []*panel {
	var panels []*panel
	unit := "ms per " + strings.TrimSuffix(s.Name, "s")
	for _, p := range s.phases() {
		one := s.panel(p.Name+s.away(), unit, func(contender string, size int) float64 {
			return typical(s.rounds(contender, p.Name, size), wall).Seconds() * 1e3 / float64(size)
		})
		panels = append(panels, one)
	}
	title := "peak memory of the provider" + s.away()
	return append(panels, s.panel(title, "MB", func(contender string, size int) float64 {
		return float64(s.most(contender, size)) / 1e6
	}))
}

// panel returns a panel with a line for each contender.
func (s series) panel(title, unit string, value func(contender string, size int) float64) *panel {
	made := &panel{Title: title, X: s.Name, Y: unit}
	for _, contender := range s.contenders() {
		l := line{Name: contender}
		for _, size := range s.sizes() {
			l.Points = append(l.Points, [2]float64{float64(size), value(contender, size)})
		}
		if l.Points[0][1] == 0 {
			l.Points = nil // the floor has no provider
		}
		made.Lines = append(made.Lines, l)
	}
	return made
}
