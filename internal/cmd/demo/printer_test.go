package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text, want string
	}{
		"a line that fits stays":                {text: "one two", want: "one two"},
		"a line breaks where the columns end":   {text: "one two three", want: "one two\nthree"},
		"breaks in the source are joined":       {text: "one\ntwo", want: "one two"},
		"a blank line separates paragraphs":     {text: "one\n\ntwo", want: "one\n\ntwo"},
		"a word longer than the columns stands": {text: "a abcdefghijk b", want: "a\nabcdefghijk\nb"},
		"columns count characters, not bytes":   {text: "ööö öööö", want: "ööö öööö"},
		"nothing is nothing":                    {},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, wrap(tt.text, 8)); diff != "" {
				t.Errorf("wrap (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPrinterColoursOnATerminalAlone(t *testing.T) {
	t.Parallel()
	show := func(colour bool) string {
		var out strings.Builder
		p := &printer{out: &out, colour: colour}
		p.heading(1, "Title")
		p.caption("A caption.")
		p.command("tofu plan")
		p.block("\noutput\n\n")
		p.fact("%d replicas", 4)
		return out.String()
	}
	plainText := show(false)
	if strings.Contains(plainText, "\x1b") {
		t.Errorf("colours without a terminal: %q", plainText)
	}
	coloured := show(true)
	if coloured == plainText {
		t.Error("no colours on a terminal")
	}
	if diff := cmp.Diff(plainText, colours.ReplaceAllString(coloured, "")); diff != "" {
		t.Errorf("text without and with colours (-without +with):\n%s", diff)
	}
	want := "\n\n━━━ 1. Title " + strings.Repeat("━", width-13) +
		"\n\n# A caption.\n\n$ tofu plan\noutput\n\n=> 4 replicas\n"
	if diff := cmp.Diff(want, plainText); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}
