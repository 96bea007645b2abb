package main

import (
	"fmt"
	"slices"
	"strings"
)

// tables returns the tables of the page about performance: for each workload, of the largest size and the shortest
// distance, a column for each contender and a row for each phase, with wall time and CPU time.
func (r results) tables() string {
	var text report
	shown := map[string]bool{}
	for _, s := range r.series() {
		if sizes := s.sizes(); !shown[s.Name] {
			shown[s.Name] = true
			s.table(&text, sizes[len(sizes)-1])
		}
	}
	return strings.TrimSpace(text.String()) + "\n"
}

// published are the names of contenders on the page, in its order.
var published = [][2]string{
	{floor, "`terraform_data`"},
	{protocol, "echo"},
	{ours, "single resources"},
	{oursAsSet, "one set"},
	{"alekc/kubectl", "alekc/kubectl"},
	{"hashicorp/kubernetes", "hashicorp/kubernetes"},
	{"jmorris0x0/k8sconnect", "jmorris0x0/k8sconnect"},
	{kubectl, "kubectl"},
	{helm, "Helm"},
}

// table writes the table of a size.
func (s series) table(text *report, size int) {
	columns := slices.DeleteFunc(slices.Clone(published), func(c [2]string) bool {
		return !slices.Contains(s.contenders(), c[0])
	})
	row := func(label string, cell func(contender string) string) {
		line := "| " + label + " |"
		for _, column := range columns {
			line += " " + cell(column[0]) + " |"
		}
		text.line("%s", line)
	}
	text.line("| %s |%s |", s.title("seconds, wall / CPU", size), strings.Join(titles(columns), " |"))
	text.line("|---%s|", strings.Repeat("|---", len(columns)))
	for _, p := range s.phases() {
		row(p.Name, func(contender string) string { return outcome(s.rounds(contender, p.Name, size)) })
	}
	row("peak memory, MB", func(contender string) string { return megabytes(s.most(contender, size)) })
	row("state, kB per object", func(contender string) string {
		state := typical(s.rounds(contender, "create apply", size), func(m measurement) int { return m.StateBytes })
		if state == 0 {
			return ""
		}
		return fmt.Sprintf("%.1f", float64(state)/float64(s.count(size))/1e3)
	})
	text.line("")
}

// titles returns the names of columns.
func titles(columns [][2]string) []string {
	var found []string
	for _, column := range columns {
		found = append(found, " "+column[1])
	}
	return found
}

// outcome returns what a phase has cost, and how many objects its plan got wrong.
func outcome(rounds []measurement) string {
	if len(rounds) == 0 {
		return ""
	}
	cell := fmt.Sprintf("%.1f / %.1f", typical(rounds, wall).Seconds(), typical(rounds, used).Seconds())
	if wrong := typical(rounds, func(m measurement) int { return m.WrongDiffs }); wrong > 0 {
		cell += fmt.Sprintf(", %d wrong", wrong)
	}
	return cell
}

// most returns the peak memory of a contender's provider in any phase, in bytes.
func (s series) most(contender string, size int) int64 {
	var most int64
	for _, p := range s.phases() {
		most = max(most, typical(s.rounds(contender, p.Name, size), peak))
	}
	return most
}
