// Package page writes a report as one HTML file that needs no network.
package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/formats"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
)

var (
	//go:embed page.html
	page string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

type object struct {
	report.Object
	ID    string `json:"id"`
	Title string `json:"title"`
	// Grave is true if the object is deleted and has data or other objects in it.
	Grave bool    `json:"grave,omitempty"`
	Lines []line  `json:"lines"`
	Count []count `json:"count"`
}

// count is the number of fields with an effect.
type count struct {
	Effect string `json:"effect"`
	N      int    `json:"n"`
}

// line is a field before and after the apply.
type line struct {
	Path    string   `json:"path"`
	Was     *string  `json:"was"`
	Becomes *string  `json:"becomes"`
	Before  []string `json:"before"`
	After   []string `json:"after"`
	// Unknown is true if the owners after the apply are not in the plan.
	Unknown bool `json:"unknown,omitempty"`
	// Happens are the indexes of the changes of the field, among the fields of the object.
	Happens []int `json:"happens,omitempty"`
}

// HTML writes the page of a plan.
func HTML(w io.Writer, r report.Report, failures []report.Failure) error {
	objects := objectsOf(r.Objects)
	return write(w, map[string]any{
		"objects": objects, "lead": leadOf(objects, r), "summary": summary(r), "notes": r.Notes, "failures": failures,
	})
}

func objectsOf(all []report.Object) []object {
	objects := make([]object, 0, len(all))
	seen := map[string]bool{}
	for _, o := range all {
		shown := object{Object: o, ID: o.Address, Title: o.ID(), Grave: o.LosesData(), Lines: linesOf(o)}
		if o.Key != "" {
			shown.ID += "#" + o.Key
		}
		if seen[shown.ID] { // One object replaces another one.
			shown.ID += "#" + o.Action
		}
		seen[shown.ID] = true
		for _, effect := range report.Effects() {
			if n := o.Count(effect); n > 0 {
				shown.Count = append(shown.Count, count{string(effect), n})
			}
		}
		objects = append(objects, shown)
	}
	return objects
}

// write writes a page. The data is JSON in which no character can end the element that it is in.
func write(w io.Writer, parts map[string]any) error {
	words := map[string]string{}
	for _, effect := range report.Effects() {
		words[string(effect)] = formats.Word(effect)
	}
	parts["words"], parts["effects"] = words, report.Effects()
	data, err := json.Marshal(parts)
	if err != nil {
		return err
	}
	hash := sha256.Sum256([]byte(script))
	_, err = strings.NewReplacer("STYLE", style, "SCRIPT", script, "DATA", string(data), "HASH",
		base64.StdEncoding.EncodeToString(hash[:])).WriteString(w, page)
	return err
}

// linesOf returns the lines of an object: those of its attributes, and those that only a warning contains.
func linesOf(o report.Object) []line {
	lines := make([]line, 0, len(o.Lines))
	at := map[string]int{}
	for _, l := range o.Lines {
		at[l.Path] = len(lines)
		lines = append(lines, line{Path: l.Path, Was: l.Was, Becomes: l.Becomes, Before: l.OwnersBefore,
			After: l.OwnersAfter, Unknown: l.UnknownOwners})
	}
	for i, f := range o.Fields {
		n, has := at[f.Path]
		if !has {
			n = len(lines)
			at[f.Path] = n
			lines = append(lines, ofField(o, f))
		}
		lines[n].Happens = append(lines[n].Happens, i)
		if lines[n].Was == nil {
			lines[n].Was = f.Was
		}
		if lines[n].Becomes == nil {
			lines[n].Becomes = f.Becomes
		}
		stays := f.Effect == changes.Release || f.Effect == changes.Stay || f.Effect == changes.Addition
		if lines[n].Becomes == nil && stays {
			lines[n].Becomes = lines[n].Was
		}
	}
	return lines
}

// ofField returns the line of a field that the attributes do not have.
func ofField(o report.Object, f report.Field) line {
	l := line{Path: f.Path, Unknown: o.Manager == ""}
	for _, owner := range f.Owners {
		if owner.Name != "" && !slices.Contains(l.Before, owner.Name) {
			l.Before = append(l.Before, owner.Name)
		}
	}
	switch f.Effect {
	case changes.Take, changes.Add:
		l.After = []string{o.Manager}
	case changes.SetBack, changes.Set:
		l.Before, l.After = []string{o.Manager}, []string{o.Manager}
	case changes.Share:
		l.After = append([]string{o.Manager}, l.Before...)
	case changes.Remove:
		l.Unknown = false
	case changes.Unset:
		l.Before, l.Unknown = []string{o.Manager}, false
	case changes.Restore:
		l.Unknown = true
	default:
		l.After, l.Unknown = l.Before, false
	}
	return l
}

// Survey is the content of the first view of a cluster's page.
type Survey struct {
	Groups   []Group   `json:"groups"`
	Managers []Manager `json:"managers"`
	// NotSeen lists the kinds that could not be read, with the reasons.
	NotSeen []string `json:"not_seen,omitempty"`
}

// Group are the findings of one problem.
type Group struct {
	Heading string  `json:"heading"`
	Alike   []Alike `json:"alike"`
}

// Alike are findings with one command that shows how all of them end.
type Alike struct {
	Findings []Finding `json:"findings"`
	Mend     string    `json:"mend"`
}

// Finding is something about an object that needs a decision.
type Finding struct {
	// Object is the address of the object; "" if the page does not have it. Target is its name for people.
	Object   string   `json:"object,omitempty"`
	Target   string   `json:"target"`
	Managers []string `json:"managers,omitempty"`
	Since    string   `json:"since,omitempty"`
	Fields   []string `json:"fields,omitempty"`
	// More is the number of fields beyond those.
	More int `json:"more,omitempty"`
}

// Manager counts the fields that a manager owns in the objects of a kind.
type Manager struct {
	// Label is the manager as the lines of the objects name it.
	Label     string `json:"label"`
	Operation string `json:"operation"`
	Kind      string `json:"kind"`
	Objects   int    `json:"objects"`
	Fields    int    `json:"fields"`
	Written   string `json:"written"`
	About     string `json:"about"`
}

// Live writes the page of objects as they are: their lines have owners before alone. It opens on a survey; without one,
// on the first object. The notes of an object are the findings about it.
func Live(w io.Writer, all []report.Object, survey *Survey) error {
	objects := objectsOf(all)
	summary := diagnostics.Number(len(objects), "1 object", "%d objects")
	if survey != nil {
		n := 0
		for _, group := range survey.Groups {
			for _, alike := range group.Alike {
				n += len(alike.Findings)
			}
		}
		summary += ", " + diagnostics.Number(n, "1 finding", "%d findings")
	}
	return write(w, map[string]any{"objects": objects, "summary": summary + ".", "live": true, "survey": survey})
}
