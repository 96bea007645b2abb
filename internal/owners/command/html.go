package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/blame"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/owners"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/page"
)

// shown returns an object without lines, as a page has it.
func shown(id manifest.Identity) report.Object {
	return report.Object{
		Address: id.ID(), APIVersion: id.APIVersion, Kind: id.Kind, Namespace: id.Namespace, Name: id.Name,
		Action: report.NoOp,
	}
}

// label returns a manager in a few words.
func label(m ownership.Manager) string {
	if m.Subresource == "" {
		return m.Name
	}
	return m.Name + " (" + m.Subresource + ")"
}

// linesOf returns the fields of an object with their values and owners.
func linesOf(fields []blame.Field) []report.Line {
	lines := make([]report.Line, len(fields))
	for i, field := range fields {
		lines[i] = report.Line{Path: field.Path, Was: field.Value}
		for _, owner := range field.Owners {
			lines[i].OwnersBefore = append(lines[i].OwnersBefore, label(owner.Manager))
		}
	}
	return lines
}

// html writes the page of a survey: the owned fields of each object, without values, and the findings about it.
func (o *options) html(survey owners.Survey, overview owners.Overview) error {
	found := map[string][]report.Note{}
	for _, finding := range overview.Findings {
		of := finding.Resource + " " + finding.Namespace + "/" + finding.Name
		found[of] = append(found[of], report.Note{Summary: string(finding.Problem), Detail: finding.Mend})
	}
	objects := make([]report.Object, len(survey.Objects))
	for i, object := range survey.Objects {
		objects[i] = shown(object.ID)
		objects[i].Notes = found[object.Resource+" "+object.ID.Namespace+"/"+object.ID.Name]
		held := object.Claims.CoOwners(object.Claims.Formatter())
		for _, path := range slices.Sorted(maps.Keys(held)) {
			if top, _, _ := strings.Cut(path, "."); top == "status" && !o.status {
				continue
			}
			line := report.Line{Path: path}
			for _, manager := range held[path] {
				line.OwnersBefore = append(line.OwnersBefore, label(manager))
			}
			objects[i].Lines = append(objects[i].Lines, line)
		}
	}
	return page.Live(o.Out, fmt.Sprintf("%d objects, %d findings.", overview.Objects, len(overview.Findings)), objects)
}
