package formats

import (
	"encoding/json"
	"io"
	"path/filepath"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
)

type object = map[string]any

// SARIF writes a result for each field that changes hands and each object that is deleted, in SARIF 2.1.0.
func SARIF(w io.Writer, r report.Report, failures []report.Failure) error {
	results := []object{}
	add := func(rule, level, message string, at report.Object) {
		location := object{"logicalLocations": []object{{"fullyQualifiedName": at.Address, "kind": "resource"}}}
		if at.File != "" && at.Line > 0 {
			location["physicalLocation"] = object{
				"artifactLocation": object{"uri": filepath.ToSlash(at.File)}, "region": object{"startLine": at.Line},
			}
		}
		results = append(results, object{
			"ruleId": rule, "level": level, "message": object{"text": message}, "locations": []object{location},
		})
	}
	plan := report.Object{Address: "plan"}
	for _, failure := range failures {
		at := plan
		has := func(o report.Object) bool { return o.Address == failure.Address }
		if i := slices.IndexFunc(r.Objects, has); i >= 0 {
			at = r.Objects[i]
		}
		add("rule", "error", failure.Rule+": "+failure.What, at)
	}
	for _, o := range shown(r) {
		if o.Action == report.Delete || o.Action == report.Replace {
			add(o.Action, "warning", o.ID()+": "+o.Action, o)
		}
		for _, field := range o.Fields {
			level := "note"
			if field.Effect == changes.Take || field.Effect == changes.Remove {
				level = "warning"
			}
			add(string(field.Effect), level, o.ID()+" "+Word(field.Effect)+": "+line(field), o)
		}
		for _, unlisted := range unlistedOf(o) {
			add("unlisted", "warning", o.ID()+": "+unlisted, o)
		}
		for _, note := range o.Remarks() {
			add("note", note.Severity, note.Summary+"\n"+note.Detail, o)
		}
	}
	for _, text := range r.Incomplete {
		add("incomplete", "warning", text, plan)
	}
	for _, note := range r.Notes {
		add("note", note.Severity, note.Summary+"\n"+note.Detail, plan)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []object{{
			"tool":    object{"driver": object{"name": "terraform-provider-k8sconnect"}},
			"results": results,
		}},
	})
}
