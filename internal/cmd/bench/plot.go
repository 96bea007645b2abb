package main

import (
	"image/color"
	"os"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// plotColumns is the number of panels in a row.
const plotColumns = 3

// plotAll writes an SVG for one workload. It has a panel for each phase, which shows the wall time per unit of the
// workload (object, item or key), and a panel for the peak memory of the providers, and the same for each distance.
func plotAll(path string, distances []series) error {
	var panels []*plot.Plot
	for _, s := range distances {
		panels = append(panels, s.panels()...)
		for len(panels)%plotColumns > 0 {
			panels = append(panels, nil)
		}
	}
	return save(path, panels)
}

// panels returns the panels of one distance.
func (s series) panels() []*plot.Plot {
	var panels []*plot.Plot
	unit := "ms per " + strings.TrimSuffix(s.Name, "s")
	for _, p := range s.phases() {
		panel := s.panel(p.Name+s.away(), unit, func(contender string, size int) float64 {
			return typical(s.rounds(contender, p.Name, size), wall).Seconds() * 1e3 / float64(size)
		})
		panels = append(panels, panel)
	}
	title := "peak memory of the provider" + s.away()
	return append(panels, s.panel(title, "MB", func(contender string, size int) float64 {
		return float64(s.most(contender, size)) / 1e6
	}))
}

// panel returns a panel with a line for each contender.
func (s series) panel(title, unit string, value func(contender string, size int) float64) *plot.Plot {
	panel := plot.New()
	panel.Title.Text, panel.X.Label.Text, panel.Y.Label.Text = title, s.Name, unit
	panel.Y.Min = 0
	panel.Legend.Top, panel.Legend.Padding = true, vg.Millimeter
	panel.BackgroundColor = color.White
	var highest float64
	for i, contender := range s.contenders() {
		var points plotter.XYs
		for _, size := range s.sizes() {
			points = append(points, plotter.XY{X: float64(size), Y: value(contender, size)})
			highest = max(highest, points[len(points)-1].Y)
		}
		if points[0].Y == 0 {
			continue // the floor has no provider
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			continue // a value that is not a number
		}
		line.Color, dots.Color, dots.Shape = plotutil.Color(i), plotutil.Color(i), plotutil.Shape(i)
		panel.Add(line, dots)
		panel.Legend.Add(contender+"  ", line, dots)
	}
	panel.Y.Max = 1.5 * highest // room for the legend
	return panel
}

func save(path string, panels []*plot.Plot) error {
	rows := (len(panels) + plotColumns - 1) / plotColumns
	grid := make([][]*plot.Plot, rows)
	for i := range grid {
		grid[i] = make([]*plot.Plot, plotColumns)
		copy(grid[i], panels[i*plotColumns:min(len(panels), (i+1)*plotColumns)])
	}
	canvas := vgsvg.New(plotColumns*4*vg.Inch, vg.Length(rows)*3*vg.Inch)
	tiles := draw.Tiles{
		Rows: rows, Cols: plotColumns, PadX: vg.Millimeter * 4, PadY: vg.Millimeter * 4, PadRight: vg.Millimeter * 4,
	}
	for i, row := range plot.Align(grid, tiles, draw.New(canvas)) {
		for j, area := range row {
			if grid[i][j] != nil {
				grid[i][j].Draw(area)
			}
		}
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := canvas.WriteTo(file); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}
