// Package page writes a report as one HTML file that needs no network.
package page

import (
	_ "embed"
	"encoding/json"
	"io"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/formats"
)

//go:embed page.html
var page string

type object struct {
	report.Object
	ID    string `json:"id"`
	Lines []line `json:"lines"`
}

type line struct {
	Path    string   `json:"path"`
	Was     *string  `json:"was"`
	Becomes *string  `json:"becomes"`
	Before  []string `json:"before"`
	After   []string `json:"after"`
	Unknown bool     `json:"unknown"`
}

// HTML writes the page. The data is JSON in which no character can end the element that it is in.
func HTML(w io.Writer, r report.Report, failures []report.Failure) error {
	objects := make([]object, len(r.Objects))
	for i, o := range r.Objects {
		objects[i] = object{Object: o, ID: o.ID(), Lines: []line{}}
		for _, l := range o.Lines {
			objects[i].Lines = append(objects[i].Lines,
				line{l.Path, l.Was, l.Becomes, l.OwnersBefore, l.OwnersAfter, l.UnknownOwners})
		}
	}
	words := map[string]string{}
	var order []string
	for _, effect := range report.Effects() {
		words[string(effect)] = formats.Word(effect)
		order = append(order, string(effect))
	}
	data, err := json.Marshal(map[string]any{
		"summary": formats.Summary(r), "objects": objects, "notes": r.Notes, "failures": failures, "words": words,
		"order": order,
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, strings.Replace(page, "DATA", string(data), 1))
	return err
}
