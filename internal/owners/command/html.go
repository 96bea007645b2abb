package command

import (
	"maps"
	"slices"
	"strings"
	"time"

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

// definition is how kubectl names the kind of definitions.
const definition = "customresourcedefinitions.apiextensions.k8s.io"

// targetOf returns the resource, namespace and name of the object of a finding. A finding about a definition has the
// name of a version instead.
func targetOf(finding owners.Finding) string {
	if finding.Problem == owners.AtomicLists {
		return definition + " /" + finding.Resource
	}
	return finding.Resource + " " + finding.Namespace + "/" + finding.Name
}

// html writes the page of a survey: the findings, the managers, and the owned fields of each object, without values.
func (o *options) html(survey owners.Survey, overview owners.Overview) error {
	found := map[string][]report.Note{}
	for _, finding := range overview.Findings {
		of := targetOf(finding)
		found[of] = append(found[of], report.Note{Summary: string(finding.Problem), Detail: finding.Mend})
	}
	addresses := map[string]string{}
	objects := make([]report.Object, len(survey.Objects))
	for i, object := range survey.Objects {
		objects[i] = shown(object.ID)
		of := object.Resource + " " + object.ID.Namespace + "/" + object.ID.Name
		addresses[of], objects[i].Notes = objects[i].Address, found[of]
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
	opens := pageOf(overview, addresses)
	return page.Live(o.Out, objects, &opens)
}

// shownFields is how many fields of a finding a page lists.
const shownFields = 3

// pageOf returns what the page opens on. addresses are those of its objects.
func pageOf(overview owners.Overview, addresses map[string]string) page.Survey {
	opens := page.Survey{Groups: []page.Group{}, Managers: []page.Manager{}}
	for _, m := range overview.Managers {
		opens.Managers = append(opens.Managers, page.Manager{
			Label: label(ownership.Manager{Name: m.Name, Subresource: m.Subresource}), Operation: m.Operation,
			Kind: m.Resource, Objects: m.Objects, Fields: m.Fields, Written: at(m.LastWrite), About: m.About,
		})
	}
	for _, group := range overview.Groups() {
		of := page.Group{Heading: group.Heading}
		for _, findings := range group.Alike {
			for i, f := range findings {
				if i == 0 || !slices.Equal(f.Named, findings[i-1].Named) {
					of.Alike = append(of.Alike, page.Alike{Mend: f.Mend})
				}
				few, alike := f.Fields[:min(len(f.Fields), shownFields)], &of.Alike[len(of.Alike)-1]
				alike.Findings = append(alike.Findings, page.Finding{
					Object: addresses[targetOf(f)], Target: f.Target(), Managers: f.Managers, Since: at(f.Since),
					Fields: few, More: len(f.Fields) - len(few),
				})
			}
		}
		opens.Groups = append(opens.Groups, of)
	}
	for _, kind := range overview.NotSeen {
		opens.NotSeen = append(opens.NotSeen, kind.Resource+": "+kind.Reason)
	}
	return opens
}

// at returns a time; "" without one.
func at(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.RFC3339)
}
