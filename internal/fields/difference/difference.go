// Package difference shows how two long values differ: two strings by lines, two structures by paths.
package difference

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/text/unicode/norm"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

const (
	// most is how many lines a difference has, the last one included, which counts the rest.
	most = 40
	// shortest is the size in bytes from which a value of one line is long.
	shortest = 400
	// manyLines is the number of lines from which a string is long.
	manyLines = 4
	// longestLine is the size in bytes of the longest line of a string that is shown whole.
	longestLine = 240
	// longestLeaf is the size in bytes of the longest value that the line of a path shows.
	longestLeaf = 120
)

// IsLong reports whether a string is so long that a reader needs help to find its difference from another one.
func IsLong(text string) bool {
	return len(text) >= shortest || strings.Count(strings.TrimSuffix(text, "\n"), "\n")+1 >= manyLines
}

// Of returns how two values differ, in at most 40 lines: two strings by their lines, two maps or lists by the paths in
// them, and two short strings that look alike by their escapes. It returns nil for values of different types, for other
// short values, for strings of one line, and for equal ones.
func Of(before, after any) []string {
	was, wasText := before.(string)
	is, isText := after.(string)
	var lines []string
	switch {
	case was != is && !IsLong(was) && norm.NFC.String(was) == norm.NFC.String(is):
		lines = []string{fmt.Sprintf("%+q -> %+q", was, is)}
	case wasText && isText && strings.Contains(was+is, "\n") && (IsLong(was) || IsLong(is)):
		lines = linesOf(was, is)
	case isSameStructure(before, after) && (IsLong(encoded(before)) || IsLong(encoded(after))):
		lines = pathsOf(before, after)
	}
	return cut(lines)
}

// Parts returns the paths in which two maps or lists of any length differ, as Of does; nil for other values.
func Parts(before, after any) []string {
	if !isSameStructure(before, after) {
		return nil
	}
	return cut(pathsOf(before, after))
}

// cut replaces the lines that are too many by their number.
func cut(lines []string) []string {
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most-1:most-1], fmt.Sprintf("and %d more lines", len(lines)-most+1))
}

// linesOf returns the lines in which two strings differ, each group after the number of its first line.
func linesOf(before, after string) []string {
	switch {
	case after == before+"\n":
		return []string{"only the newline at the end is new"}
	case before == after+"\n":
		return []string{"only the newline at the end is gone"}
	}
	edits := udiff.Lines(before, after)
	unified, err := udiff.ToUnifiedDiff("", "", before, edits, 0)
	if err != nil {
		return nil
	}
	var lines []string
	for _, hunk := range unified.Hunks {
		lines = append(lines, fmt.Sprintf("line %d:", max(hunk.FromLine, 1)))
		for _, line := range hunk.Lines {
			mark := "- "
			if line.Kind == udiff.Insert {
				mark = "+ "
			}
			text := mark + shortened(strings.TrimSuffix(line.Content, "\n"), longestLine)
			ended := func(other udiff.Line) bool { return other.Content == line.Content+"\n" }
			if !strings.HasSuffix(line.Content, "\n") && slices.ContainsFunc(hunk.Lines, ended) {
				text += " (without a newline)"
			}
			lines = append(lines, text)
		}
	}
	return lines
}

// shortened returns the string if it is not longer than longest bytes, and otherwise its beginning and its size.
func shortened(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	end := longest
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s... (%d bytes)", text[:end], len(text))
}

func isSameStructure(before, after any) bool {
	_, wasMap := before.(map[string]any)
	_, isMap := after.(map[string]any)
	_, wasList := before.([]any)
	_, isList := after.([]any)
	return wasMap && isMap || wasList && isList
}

// encoded returns a value as JSON, and "(none)" for a missing one.
func encoded(value any) string {
	if value == (missing{}) {
		return noValue
	}
	return projection.JSON(value)
}
