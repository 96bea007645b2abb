package chart

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// marker finds the strings of draws in the values of fields. While it compares values, a character stands for each
// string.
type marker struct {
	// groups are the parts with the same strings, the longest first.
	groups [][]part
	// own and other replace the strings of the two renderings, and back replaces the characters.
	own, other, back *strings.Replacer
}

// firstMark stands for the first group. It is for private use, and of these in the last plane, which no font uses.
const firstMark = '\U00100000'

// shortestPart is the length from which a draw is searched for within a longer string: a shorter one is there by
// chance.
const shortestPart = 4

func newMarker(parts []part) *marker {
	slices.SortFunc(parts, func(p, q part) int {
		return cmp.Or(cmp.Compare(len(q.text), len(p.text)), cmp.Compare(p.text, q.text), cmp.Compare(p.other, q.other))
	})
	m := &marker{}
	var own, other, back []string
	mark := firstMark
	for _, p := range parts {
		last := len(m.groups) - 1
		switch {
		case p.text == p.other:
			continue
		case last >= 0 && m.groups[last][0].text == p.text && m.groups[last][0].other == p.other:
			m.groups[last] = append(m.groups[last], p)
			continue
		case !p.isShort():
			own, other = append(own, p.text, string(mark)), append(other, p.other, string(mark))
			back = append(back, string(mark), p.text)
		}
		m.groups = append(m.groups, []part{p})
		mark++
	}
	m.own, m.other, m.back = strings.NewReplacer(own...), strings.NewReplacer(other...), strings.NewReplacer(back...)
	return m
}

func (p part) isShort() bool { return min(len(p.text), len(p.other)) < shortestPart }

// of returns the parts that are equal to a string; none for a short one that several draws contain.
func (m *marker) of(own, other string) []part {
	for _, group := range m.groups {
		if group[0].text == own && group[0].other == other && (len(group) == 1 || !group[0].isShort()) {
			return group
		}
	}
	return nil
}

// group returns the parts that a character stands for; none for another character.
func (m *marker) group(mark rune) []part {
	if at := int(mark - firstMark); at >= 0 && at < len(m.groups) {
		return m.groups[at]
	}
	return nil
}

// read cuts the value of a field into pieces. A map or a list has none.
func (m *marker) read(of *object, at leaf) reading {
	switch at.value.(type) {
	case map[string]any, []any:
		return reading{own: at.value}
	}
	own, isText := at.value.(string)
	other, isOtherText := at.other.(string)
	if !isText || !isOtherText {
		own, other = fmt.Sprint(at.value), fmt.Sprint(at.other)
		only := &piece{text: own, other: other, isGenerated: true, of: m.of(own, other)}
		return reading{own: at.value, pieces: []*piece{only}}
	}
	plain := reading{own: own, pieces: m.cut(own, other)}
	decoded, err := base64.StdEncoding.DecodeString(own)
	decodedOther, errOther := base64.StdEncoding.DecodeString(other)
	if err != nil || errOther != nil || plain.shows() || !utf8.Valid(decoded) || !utf8.Valid(decodedOther) {
		return plain
	}
	encoded := reading{own: own, pieces: m.cut(string(decoded), string(decodedOther)), isEncoded: true}
	if encoded.shows() || of.IsSecret() && at.path[0].field == manifest.SecretData {
		return encoded
	}
	return plain
}

// cut cuts a string into pieces. Between draws it compares lines, and what differs in a line is one piece.
func (m *marker) cut(own, other string) []*piece {
	if of := m.of(own, other); of != nil {
		return []*piece{{text: own, other: other, isGenerated: true, of: of}}
	}
	lines, others := strings.Split(m.own.Replace(own), "\n"), strings.Split(m.other.Replace(other), "\n")
	if len(lines) != len(others) {
		lines, others = []string{strings.Join(lines, "\n")}, []string{strings.Join(others, "\n")}
	}
	var all cuts
	var same strings.Builder
	for i, line := range lines {
		head, tail := around(line, others[i], strings.Contains(own, "\n"))
		same.WriteString(line[:head])
		if line != others[i] {
			m.addMarked(&all, same.String())
			differs := others[i][head : len(others[i])-tail]
			all.add(&piece{text: m.back.Replace(line[head : len(line)-tail]), other: differs, isGenerated: true})
			same.Reset()
		}
		same.WriteString(line[len(line)-tail:])
		if i < len(lines)-1 {
			same.WriteString("\n")
		}
	}
	m.addMarked(&all, same.String())
	return all
}

// addMarked adds the fixed pieces and draws of a string in which characters stand for draws.
func (m *marker) addMarked(to *cuts, text string) {
	isMark := func(char rune) bool { return m.group(char) != nil }
	for text != "" {
		at := strings.IndexFunc(text, isMark)
		if at < 0 {
			to.add(fixed(text))
			return
		}
		to.add(fixed(text[:at]))
		mark, size := utf8.DecodeRuneInString(text[at:])
		of := m.group(mark)
		to.add(&piece{text: of[0].text, other: of[0].other, isGenerated: true, of: of})
		text = text[at+size:]
	}
}

// encodedLine is a line of a certificate or a key, indented or not.
var encodedLine = regexp.MustCompile(`^\s*[A-Za-z0-9+/]+=*$`)

// around returns how many bytes two strings have in common before and after the difference. A word differs as a whole,
// and so does the line of a certificate if the value has several lines.
func around(text, other string, isLine bool) (head, tail int) {
	if text == other {
		return len(text), 0
	}
	shorter := min(len(text), len(other))
	for head < shorter && text[head] == other[head] {
		head++
	}
	for tail < shorter-head && text[len(text)-1-tail] == other[len(other)-1-tail] {
		tail++
	}
	isInWord := func(at int) func(rune) bool {
		from := strings.LastIndexByte(text[:at], '\n') + 1
		line, _, _ := strings.Cut(text[from:], "\n")
		isEncoded := isLine && encodedLine.MatchString(line)
		return func(char rune) bool {
			return isWord(char) || char == utf8.RuneError || isEncoded && strings.ContainsRune("+/=", char)
		}
	}
	behind := text[len(text)-tail:]
	return len(strings.TrimRightFunc(text[:head], isInWord(head))),
		len(strings.TrimLeftFunc(behind, isInWord(len(text)-tail)))
}
