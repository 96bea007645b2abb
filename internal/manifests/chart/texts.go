package chart

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is a piece of a string: a fixed one, or a generated one.
type piece struct {
	// text is that of a rendering, and other that of another one.
	text, other string
	isGenerated bool
	// of are the parts of draws that the piece is; none if it only follows from draws.
	of []part
	// live is the string in its place on the cluster, if it is found.
	live  string
	found bool
}

type cuts []*piece

// between is what generated pieces of one value have between them: parts of a date, or lines of a certificate. Some of
// these are equal in two certificates.
var between = regexp.MustCompile(`^([^\pL\pN]*|\n\s*([A-Za-z0-9+/]{40,}\s+)*)$`)

// add adds a piece. Generated pieces without anything between them are one: nothing tells them from each other.
func (c *cuts) add(next *piece) {
	last := len(*c) - 1
	follows := func(p *piece) bool { return p.isGenerated && p.of == nil }
	switch {
	case !next.isGenerated && next.text == "":
	case last >= 0 && (*c)[last].isGenerated == next.isGenerated:
		(*c)[last] = whole(next.isGenerated, (*c)[last], next)
	case last > 0 && follows(next) && follows((*c)[last-1]) && between.MatchString((*c)[last].text):
		(*c)[last-1] = whole(true, (*c)[last-1], (*c)[last], next)
		*c = (*c)[:last]
	default:
		*c = append(*c, next)
	}
}

// fixed returns a piece that is not generated.
func fixed(text string) *piece { return &piece{text: text, other: text} }

// whole returns pieces as one that follows from draws, or is fixed.
func whole(isGenerated bool, pieces ...*piece) *piece {
	all := &piece{isGenerated: isGenerated}
	for _, p := range pieces {
		all.text += p.text
		all.other += p.other
	}
	return all
}

// reading is the value of a field, cut into pieces.
type reading struct {
	own    any
	pieces []*piece
	// isEncoded is set if the value is the base64 of the pieces.
	isEncoded bool
}

// shows reports whether the value contains the string of a draw.
func (r reading) shows() bool {
	return slices.ContainsFunc(r.pieces, func(p *piece) bool { return p.of != nil })
}

// over returns the value with the generated pieces of a live one; false if it does not have all of them.
func (r reading) over(live any) (any, bool) {
	fits := r.fit(live)
	if fits && len(r.pieces) == 1 {
		return live, true
	}
	if _, isText := r.own.(string); !isText {
		return r.own, false
	}
	var merged strings.Builder
	for _, p := range r.pieces {
		if p.found {
			merged.WriteString(p.live)
		} else {
			merged.WriteString(p.text)
		}
	}
	if r.isEncoded {
		return base64.StdEncoding.EncodeToString([]byte(merged.String())), fits
	}
	return merged.String(), fits
}

// fit finds the generated pieces in a live value; false if it does not find all of them.
func (r reading) fit(live any) bool {
	switch live.(type) {
	case map[string]any, []any:
		return false
	}
	text, isText := live.(string)
	if r.isEncoded {
		decoded, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return false
		}
		text = string(decoded)
	}
	if len(r.pieces) == 1 {
		if !isText {
			text = fmt.Sprint(live)
		}
		r.pieces[0].live, r.pieces[0].found = text, true
		return true
	}
	return isText && fitText(r.pieces, text)
}

// fitText finds generated pieces in a string: in the whole one, or else line by line. A line is the same up to the last
// generated piece, and has the same character behind it.
func fitText(pieces []*piece, text string) bool {
	if match(`(?s)\A`+pattern(pieces, `(.*?)`)+`\z`, pieces, text) {
		return true
	}
	fits := true
	lines := linesOf(pieces)
	for i, line := range lines {
		if !slices.ContainsFunc(line, isGenerated) {
			continue
		}
		from, newline := `(?m)^`, []*piece{fixed("\n")}
		// Nothing tells these lines apart.
		if first := slices.IndexFunc(line, isGenerated); !strings.ContainsFunc(textOf(line[:first]), isWord) {
			if i > 0 {
				line = slices.Concat(lines[i-1], newline, line)
			} else {
				from = `(?m)\A`
			}
		}
		if last := line[len(line)-1]; last.isGenerated && strings.Contains(last.text, "\n") && i < len(lines)-1 {
			line = slices.Concat(line, newline, lines[i+1])
		}
		found := match(from+pattern(line, inLine)+`$`, line, text)
		if start, is := upToLast(line); is && !found {
			found = match(from+start, line, text)
		}
		fits = fits && found
	}
	return fits
}

func isWord(char rune) bool { return unicode.IsLetter(char) || unicode.IsDigit(char) }

func textOf(pieces []*piece) string {
	var all strings.Builder
	for _, p := range pieces {
		all.WriteString(p.text)
	}
	return all.String()
}

func isGenerated(p *piece) bool { return p.isGenerated }

// linesOf returns the pieces of each line. A generated piece may have several lines.
func linesOf(pieces []*piece) [][]*piece {
	lines := [][]*piece{nil}
	for _, p := range pieces {
		texts := []string{p.text}
		if !p.isGenerated {
			texts = strings.Split(p.text, "\n")
		}
		for i, text := range texts {
			if i > 0 {
				lines = append(lines, nil)
			}
			last := &lines[len(lines)-1]
			switch {
			case p.isGenerated:
				*last = append(*last, p)
			case text != "":
				*last = append(*last, fixed(text))
			}
		}
	}
	return lines
}

// inLine is the pattern of a generated piece in a line.
const inLine = `([^\n]*?)`

// pattern returns a regular expression for pieces, with a pattern for each that is generated.
func pattern(pieces []*piece, generated string) string {
	var all strings.Builder
	for _, p := range pieces {
		switch {
		case !p.isGenerated:
			all.WriteString(regexp.QuoteMeta(p.text))
		case strings.Contains(p.text, "\n"):
			all.WriteString(`((?s:.*?))`)
		default:
			all.WriteString(generated)
		}
	}
	return all.String()
}

// upToLast returns the pattern of a line up to the character behind the last generated piece; false if no
// pattern finds that character. The piece has it as often as in the renderings, or is a draw with as many characters.
func upToLast(line []*piece) (string, bool) {
	last := len(line) - 1
	for !line[last].isGenerated {
		last--
	}
	of, behind := line[last], textOf(line[last+1:])
	_, size := utf8.DecodeRuneInString(behind)
	end := regexp.QuoteMeta(behind[:size])
	width, count := utf8.RuneCountInString(of.text), strings.Count(of.text, behind[:size])
	var value string
	switch {
	case size == 0 || width > mostRepeated:
		return "", false
	case of.of != nil && width == utf8.RuneCountInString(of.other):
		value = fmt.Sprintf(`.{%d}`, width)
	case count == strings.Count(of.other, behind[:size]):
		value = fmt.Sprintf(`[^\n%s]*(?:%s[^\n%s]*){%d}`, end, end, end, count)
	default:
		return "", false
	}
	return pattern(line[:last], inLine) + "(" + value + ")" + end, true
}

// mostRepeated is how often a regular expression may repeat something.
const mostRepeated = 1000

// match sets the live strings of generated pieces to the groups of a regular expression, if it matches once.
func match(expression string, pieces []*piece, text string) bool {
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return false // The text is not UTF-8.
	}
	found := compiled.FindAllStringSubmatch(text, 2)
	if len(found) != 1 {
		return false
	}
	groups := found[0][1:]
	for _, p := range pieces {
		if p.isGenerated {
			p.live, p.found = groups[0], true
			groups = groups[1:]
		}
	}
	return true
}
