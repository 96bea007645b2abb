package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// The views keep the relevant parts of the CLI's output, in its own words and colours.

// idSuffix is what follows a resource's address in lines of progress.
var idSuffix = regexp.MustCompile(` \[id=[^\]]*\]`)

// planView returns a plan with its unchanged lines folded and its columns narrowed to the remaining lines.
func planView(text string) string {
	return realign(foldUnchanged(applyView(text)))
}

// applyView returns an apply without the IDs that repeat in each of its lines.
func applyView(text string) string { return idSuffix.ReplaceAllString(text, "") }

// resultView leaves out the plan that an unattended apply or destroy prints before it acts.
func resultView(text string) string {
	if at := planSummary.FindStringIndex(text); at != nil {
		text = text[at[0]:]
	}
	return applyView(text)
}

var planSummary = regexp.MustCompile(`(?m)^[^\n]*Plan:.* to add, .*$`)

// initView returns the lines about what init installed.
func initView(text string) string {
	return linesWith(text, "Installed ", "has been successfully initialized!")
}

// linesWith returns the lines that contain one of the parts.
func linesWith(text string, parts ...string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(line, part) }) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// addedLines returns the lines of after that before lacks, without blank ones, marked as in a diff.
func addedLines(before, after string) string {
	known := slices.Collect(strings.Lines(before))
	var added strings.Builder
	for line := range strings.Lines(after) {
		if strings.TrimSpace(line) != "" && !slices.Contains(known, line) {
			added.WriteString("+" + line)
		}
	}
	return added.String()
}

// colours matches the control sequences in the CLI's output.
var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// plain returns a line without colours and surrounding blanks.
func plain(line string) string { return strings.TrimSpace(colours.ReplaceAllString(line, "")) }

// opens reports whether a line begins a block of a plan; closes reports whether a line ends a block.
func opens(line string) bool {
	return strings.HasSuffix(line, "{") || strings.HasSuffix(line, "[") || strings.HasSuffix(line, "(") ||
		strings.HasSuffix(line, "<<-EOT")
}

func closes(line string) bool {
	return line != "" && strings.ContainsRune("}])", rune(line[0])) || line == "EOT"
}

var updated = regexp.MustCompile(`^~ resource `)

// foldUnchanged replaces the unchanged lines of an updated resource by their number, as the CLI itself does
// except for imports.
func foldUnchanged(text string) string {
	var out strings.Builder
	// hidden counts, for each open block of the resource, the elements that were left out.
	var hidden []int
	unchangedDepth := 0
	for line := range strings.Lines(text) {
		bare := plain(line)
		inside := len(hidden) > 0
		switch {
		case !inside:
			out.WriteString(line)
			if updated.MatchString(bare) {
				hidden = []int{0}
			}
		case unchangedDepth > 0:
			if opens(bare) {
				unchangedDepth++
			} else if closes(bare) {
				unchangedDepth--
			}
		case closes(bare):
			out.WriteString(hiddenNote(line, hidden))
			out.WriteString(line)
			hidden = hidden[:len(hidden)-1]
		case isShown(bare):
			out.WriteString(line)
			if opens(bare) {
				hidden = append(hidden, 0)
			}
		default:
			hidden[len(hidden)-1]++
			if opens(bare) {
				unchangedDepth = 1
			}
		}
	}
	return out.String()
}

// isShown reports whether a line is shown: a changed line, a comment, or the ID, which names the object.
func isShown(bare string) bool {
	for _, start := range []string{"~ ", "+ ", "- ", "#", "id "} {
		if strings.HasPrefix(bare, start) {
			return true
		}
	}
	return bare == ""
}

// hiddenNote returns the line above the closing line of the innermost block, in the CLI's words.
func hiddenNote(closing string, hidden []int) string {
	count, noun := hidden[len(hidden)-1], "attribute"
	if count == 0 {
		return ""
	}
	if len(hidden) > 1 {
		noun = "element"
	}
	if count > 1 {
		noun += "s"
	}
	indent := closing[:len(closing)-len(strings.TrimLeft(closing, " "))]
	return fmt.Sprintf("%s    # (%d unchanged %s hidden)\n", indent, count, noun)
}

// assignment is a line of a plan that gives a key its value; the group is the padding between them.
var assignment = regexp.MustCompile("^(?:[ ~+-]|\x1b\\[[0-9;]*m)*" + `(?:"(?:[^"\\]|\\.)*"|\w+)( +)= `)

// realign removes the padding that all keys of a block have in common.
func realign(text string) string {
	lines := slices.Collect(strings.Lines(text))
	blocks := [][]int{nil}
	for i, line := range lines {
		bare := plain(line)
		if closes(bare) && len(blocks) > 1 {
			narrow(lines, blocks[len(blocks)-1])
			blocks = blocks[:len(blocks)-1]
		}
		if assignment.MatchString(line) {
			blocks[len(blocks)-1] = append(blocks[len(blocks)-1], i)
		}
		if opens(bare) {
			blocks = append(blocks, nil)
		}
	}
	return strings.Join(lines, "")
}

// narrow removes the same number of blanks before the = of each line.
func narrow(lines []string, block []int) {
	const most = 1 << 10
	padding := most
	for _, i := range block {
		at := assignment.FindStringSubmatchIndex(lines[i])
		padding = min(padding, at[3]-at[2]-1)
	}
	if padding == most {
		return
	}
	for _, i := range block {
		at := assignment.FindStringSubmatchIndex(lines[i])
		lines[i] = lines[i][:at[3]-padding] + lines[i][at[3]:]
	}
}

// importView returns the part of a plan that shows imports, for a plan that generates configuration. The next plan
// shows the rest.
func importView(text string) string {
	return linesWith(applyView(text), "Preparing import", "to import")
}

// withoutComments returns HCL without its lines of comment.
func withoutComments(text string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
