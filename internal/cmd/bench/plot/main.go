// Command plot reads panels as JSON, and writes them as an SVG. It is in a module of its own, because nothing else
// needs the library that plots.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"io"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// panel is one plot, as package bench writes it.
type panel struct {
	Title string `json:"title"`
	X     string `json:"x"`
	Y     string `json:"y"`
	Lines []line `json:"lines"`
}

// line is a line of a panel. Its place among the lines decides its color. A line without points is not drawn.
type line struct {
	Name   string       `json:"name"`
	Points [][2]float64 `json:"points"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "plot:", err)
		os.Exit(1)
	}
}

// run reads rows of panels. The rows have the same length, and null for a missing panel.
func run(from io.Reader, to io.Writer) error {
	var rows [][]*panel
	if err := json.NewDecoder(from).Decode(&rows); err != nil {
		return err
	}
	if len(rows) == 0 {
		return errors.New("there are no panels")
	}
	grid := make([][]*plot.Plot, len(rows))
	for i, row := range rows {
		if len(row) != len(rows[0]) {
			return fmt.Errorf("row %d has %d panels, and the first one %d", i+1, len(row), len(rows[0]))
		}
		grid[i] = make([]*plot.Plot, len(row))
		for j, p := range row {
			if p == nil {
				continue
			}
			var err error
			if grid[i][j], err = p.plot(); err != nil {
				return err
			}
		}
	}
	return write(to, grid)
}

func (p panel) plot() (*plot.Plot, error) {
	made := plot.New()
	made.Title.Text, made.X.Label.Text, made.Y.Label.Text = p.Title, p.X, p.Y
	made.Y.Min = 0
	made.Legend.Top, made.Legend.Padding = true, vg.Millimeter
	made.BackgroundColor = color.White
	var highest float64
	for i, l := range p.Lines {
		if len(l.Points) == 0 {
			continue
		}
		var points plotter.XYs
		for _, at := range l.Points {
			points = append(points, plotter.XY{X: at[0], Y: at[1]})
			highest = max(highest, at[1])
		}
		drawn, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", p.Title, l.Name, err)
		}
		drawn.Color, dots.Color, dots.Shape = plotutil.Color(i), plotutil.Color(i), plotutil.Shape(i)
		made.Add(drawn, dots)
		made.Legend.Add(l.Name+"  ", drawn, dots)
	}
	made.Y.Max = 1.5 * highest // room for the legend
	return made, nil
}

func write(to io.Writer, grid [][]*plot.Plot) error {
	columns := len(grid[0])
	canvas := vgsvg.New(vg.Length(columns)*4*vg.Inch, vg.Length(len(grid))*3*vg.Inch)
	tiles := draw.Tiles{
		Rows: len(grid), Cols: columns, PadX: vg.Millimeter * 4, PadY: vg.Millimeter * 4, PadRight: vg.Millimeter * 4,
	}
	for i, row := range plot.Align(grid, tiles, draw.New(canvas)) {
		for j, area := range row {
			if grid[i][j] != nil {
				grid[i][j].Draw(area)
			}
		}
	}
	_, err := canvas.WriteTo(to)
	return err
}
