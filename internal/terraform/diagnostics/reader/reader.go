// Package reader reads warnings back. Begin with [Read].
//
// It takes their headings from the packages that write them, so a new heading needs no change here.
package reader

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
)

// Message is a warning in its parts.
type Message struct {
	// Title is the summary without the object.
	Title string
	// About follows the title in the summary; "" if the summary is general.
	About string
	// Objects are the objects that it is about, the one that About names first.
	Objects []manifest.Identity
	Blocks  []Block
}

// Block is one paragraph of a warning.
type Block struct {
	// Lead is the text up to the heading, such as the object; "" in most blocks.
	Lead string
	// Heading is the line above the fields; "" in a block without fields.
	Heading string
	Effect  changes.Effect
	// Count is the number of fields, also of those that the warning does not list.
	Count  int
	Fields []Field
	// More is the number of fields that the warning counts and does not list.
	More int
	// Text is the paragraph if it lists no fields.
	Text string
}

// Read returns the parts of a warning. It accepts any string: paragraphs that it does not recognize become Text.
func Read(summary, detail string) Message {
	m := Message{Title: summary}
	m.Title, m.About, _ = strings.Cut(summary, ": ")
	if object := ObjectOf(m.About); object.Kind != "" {
		m.Objects = append(m.Objects, object)
	}
	texts := strings.Split(detail, "\n\n")
	for i := 0; i < len(texts); i++ {
		block, found := Block{Text: texts[i]}, false
		if i+1 < len(texts) && strings.HasPrefix(texts[i+1], "  ") {
			block, found = listing(texts[i], texts[i+1])
			if texts[i] == sets.ObjectsHeading {
				m.Objects = ObjectsIn(texts[i+1])
			}
		}
		if found {
			i++
		}
		m.Blocks = append(m.Blocks, block)
	}
	return m
}

// Detail returns the detail that [Read] has read.
func (m Message) Detail() string {
	texts := make([]string, len(m.Blocks))
	for i, block := range m.Blocks {
		texts[i] = block.String()
	}
	return strings.Join(texts, "\n\n")
}

// Summary returns the summary that [Read] has read.
func (m Message) Summary() string {
	if m.About == "" {
		return m.Title
	}
	return m.Title + ": " + m.About
}

func (b Block) String() string {
	if b.Heading == "" {
		return b.Text
	}
	lines := make([]string, 0, len(b.Fields)+1)
	for _, field := range b.Fields {
		lines = append(lines, field.String())
	}
	if b.More > 0 {
		lines = append(lines, "  and "+strconv.Itoa(b.More)+" more")
	}
	return b.Lead + b.Heading + "\n\n" + strings.Join(lines, "\n")
}

// hole stands in headings for the names that a resource gives its attributes, and anyName matches them: yaml_body, or
// manifests["shop/web"].
const (
	hole    = "\x00"
	anyName = `[\w.]+(?:\["(?:[^"\\]|\\.)*"\])?`
)

type heading struct {
	effect  changes.Effect
	pattern *regexp.Regexp
}

// headings are the patterns of all headings, with the number of fields as their only group.
var headings = sync.OnceValue(func() []heading {
	var all []heading
	for _, h := range changes.Headings(hole) {
		for _, text := range []string{h.One(), h.Many()} {
			// The first letter is small after the name of an object.
			first := "(?i:" + text[:1] + ")"
			if text[:1] == hole || text[:1] == "%" {
				// There is no letter to cut off below.
				first, text = "", " "+text
			}
			rest := strings.NewReplacer("%d", `(\d+)`, hole, anyName).Replace(regexp.QuoteMeta(text[1:]))
			all = append(all, heading{h.Effect, regexp.MustCompile(first + rest + "$")})
		}
	}
	return all
})

// listing reads a heading and the lines below it.
func listing(head, body string) (Block, bool) {
	for _, h := range headings() {
		at := h.pattern.FindStringSubmatchIndex(head)
		if at == nil || at[0] > 0 && !strings.HasSuffix(head[:at[0]], ": ") {
			continue
		}
		block := Block{Lead: head[:at[0]], Heading: head[at[0]:], Effect: h.effect}
		block.Fields, block.More = fieldsOf(body, h.effect)
		block.Count = len(block.Fields) + block.More
		return block, true
	}
	return Block{Text: head}, false
}

var objectPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z0-9]+) (?:([^/ ]+)/)?([^ ]+) \(([^() ]+)\)`)
})

// ObjectOf returns the object at the beginning of a string; zero without one.
func ObjectOf(text string) manifest.Identity {
	found := objectPattern().FindStringSubmatch(text)
	if found == nil {
		return manifest.Identity{}
	}
	return manifest.Identity{Kind: found[1], Namespace: found[2], Name: found[3], APIVersion: found[4]}
}

// ObjectsIn returns the objects of a list, one on each line. It leaves out other lines.
func ObjectsIn(list string) []manifest.Identity {
	var objects []manifest.Identity
	for line := range strings.Lines(list) {
		if object := ObjectOf(strings.TrimSpace(line)); object.Kind != "" {
			objects = append(objects, object)
		}
	}
	return objects
}

var volumePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\S+): (\S+ \S+)`) })

// Along returns the objects that a warning lists as deleted along with another one, as kind and name, the claims of
// volumes among them. isAll is false if there are others, or may be.
func Along(detail string) (objects []string, isAll bool) {
	head, rest, isList := strings.Cut(detail, ":\n\n  ")
	lines, _, _ := strings.Cut(rest, "\n\n")
	isAll = isList && !strings.Contains(head, " at least ")
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		volume, kind := volumePattern().FindStringSubmatch(line), strings.Fields(line)
		switch {
		case more().MatchString("  " + line):
			isAll = false
		case volume != nil:
			claim, isSnapshot := strings.CutSuffix(kind[1], "Content")
			if !isSnapshot {
				claim += "Claim"
			}
			objects = append(objects, claim+" "+volume[1], volume[2])
		case len(kind) > 1:
			objects = append(objects, kind[0]+" "+kind[1])
		}
	}
	return objects, isAll
}
