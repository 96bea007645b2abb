package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// width is the number of columns of the demo's own lines and its rules.
const width = 100

// The control sequences of a terminal that the demo uses.
const (
	bold  = "\x1b[1m"
	cyan  = "\x1b[36m"
	reset = "\x1b[0m"
)

// printer writes the output that the reader sees. It is an io.Writer for the progress of builds.
type printer struct {
	out io.Writer
	// colour is true if the output has colours: the terminal shows them, and NO_COLOR is not set.
	colour bool
}

func newPrinter(out *os.File) *printer {
	return &printer{out: out, colour: term.IsTerminal(int(out.Fd())) && os.Getenv("NO_COLOR") == ""}
}

// Write implements io.Writer.
func (p *printer) Write(text []byte) (int, error) { return p.out.Write(text) }

func (p *printer) line(format string, args ...any) {
	_, _ = fmt.Fprintf(p.out, format+"\n", args...)
}

func (p *printer) styled(style, text string) string {
	if !p.colour {
		return text
	}
	return style + text + reset
}

// heading begins a scene.
func (p *printer) heading(number int, title string) {
	text := fmt.Sprintf("━━━ %d. %s ", number, title)
	p.line("\n\n%s", p.styled(bold, text+strings.Repeat("━", max(3, width-len([]rune(text))))))
}

// caption shows an explanation of the next command, as a comment in a shell session.
func (p *printer) caption(text string) {
	const mark = "# "
	p.line("")
	for line := range strings.Lines(wrap(text, width-len(mark))) {
		p.line("%s", strings.TrimRight(mark+line, " \n"))
	}
}

// wrap breaks a string into lines of at most so many columns, as far as its words allow. A blank line separates
// paragraphs.
func wrap(text string, columns int) string {
	var paragraphs []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		var lines []string
		for _, word := range strings.Fields(paragraph) {
			last := len(lines) - 1
			if last >= 0 && len([]rune(lines[last]+" "+word)) <= columns {
				lines[last] += " " + word
			} else {
				lines = append(lines, word)
			}
		}
		paragraphs = append(paragraphs, strings.Join(lines, "\n"))
	}
	return strings.Join(paragraphs, "\n\n")
}

// command shows a command as its reader would type it.
func (p *printer) command(text string) { p.line("\n%s", p.styled(cyan, "$ "+text)) }

// block shows a command's output or a file, without blank lines around it.
func (p *printer) block(text string) { p.line("%s", strings.Trim(text, "\n")) }

// file shows a file with the command that prints it.
func (p *printer) file(name, text string) {
	p.command("cat " + name)
	p.block(text)
}

// fact shows something that the demo has seen on the cluster and checked.
func (p *printer) fact(format string, args ...any) {
	p.line("\n%s", p.styled(bold, "=> "+fmt.Sprintf(format, args...)))
}
