package main

import (
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	t.Parallel()
	const text = `[[{"title": "create plan", "x": "objects", "y": "ms per object", "lines": [
		{"name": "idle", "points": null}, {"name": "k8sconnect", "points": [[200, 3.5], [1000, 4]]}]}, null]]`
	var out strings.Builder
	if err := run(strings.NewReader(text), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<svg", "create plan", "ms per object", "k8sconnect"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in the plot", want)
		}
	}
	if strings.Contains(out.String(), "idle") {
		t.Error("a line without points is in the legend")
	}
}

func TestRunWithoutPanels(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "[]", "[[null], [null, null]]"} {
		if err := run(strings.NewReader(text), &strings.Builder{}); err == nil {
			t.Errorf("%q is a plot", text)
		}
	}
}
