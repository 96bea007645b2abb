package page

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/reader"
)

func deleted(kind, name string) report.Object {
	return report.Object{Address: name, Kind: kind, Name: name, Action: report.Delete}
}

func updated(name string, fields ...report.Field) report.Object {
	return report.Object{Address: name, Kind: "ConfigMap", Name: name, Action: report.Update, Fields: fields}
}

func field(path string, effect changes.Effect, owners ...reader.Owner) report.Field {
	return report.Field{Path: path, Effect: effect, Owners: owners}
}

// reportOf returns a report with the counts of its objects.
func reportOf(objects ...report.Object) report.Report {
	r := report.Report{Objects: objects, Counts: map[string]int{}}
	for _, o := range objects {
		r.Counts[o.Action]++
		for _, effect := range report.Effects() {
			r.Counts[string(effect)] += o.Count(effect)
		}
	}
	return r
}

// A page opens on what is lost, with a link to each part. What the configuration changes of its own is no part.
func TestLead(t *testing.T) {
	t.Parallel()
	horizontal := reader.Owner{Name: "kube-controller-manager", Subresource: "scale"}
	kubectl := reader.Owner{Name: "kubectl-edit"}
	unlisted := updated("x")
	unlisted.Unlisted = map[changes.Effect]int{changes.Take: 3}
	replaced := deleted("Namespace", "n")
	replaced.Action = report.Replace
	refused := updated("r")
	refused.Action = report.Refused
	for name, test := range map[string]struct {
		report report.Report
		want   []string
	}{
		"nothing":     {reportOf(), []string{" No manager loses a field, and no object is deleted"}},
		"own changes": {reportOf(updated("x", field("a", changes.Set), field("b", changes.Unset))), []string{" No manager loses a field, and no object is deleted"}},
		"actions":     {report.Report{Actions: []string{"action.k8sconnect_disown.x"}}, nil},
		"unknown":     {report.Report{Incomplete: []string{"There is no log."}}, nil},
		"a volume": {
			reportOf(deleted("ConfigMap", "c"), deleted("PersistentVolumeClaim", "p"), updated("x", field("a", changes.Take, kubectl), field("b", changes.Take, horizontal)),
				updated("y", field("c", changes.Take, kubectl))),
			[]string{
				" 3 fields are taken from others! map[change:take field:a object:x]", ", one of them from an autoscaler! map[field:b object:x]",
				"; a PersistentVolumeClaim is deleted! map[object:p]", "; another object is deleted map[object:c]",
			},
		},
		"one of an autoscaler": {reportOf(updated("x", field("a", changes.Take, horizontal))), []string{" A field is taken from an autoscaler! map[field:a object:x]"}},
		"of one object":        {reportOf(updated("x", field("a", changes.SetBack), field("b", changes.SetBack))), []string{" 2 values are set back map[field:a object:x]"}},
		"unlisted":             {reportOf(unlisted), []string{" 3 fields are taken from others! map[change:take]"}},
		"deletions":            {reportOf(deleted("Secret", "a"), deleted("Secret", "b")), []string{" 2 objects are deleted map[change:delete object:a]"}},
		"namespaces":           {reportOf(deleted("Namespace", "a"), deleted("Namespace", "b"), replaced), []string{" 2 Namespaces are deleted! map[change:delete object:a]", "; a Namespace is deleted and created again! map[object:n]"}},
		"refused":              {reportOf(refused), []string{" An object is why the plan fails! map[object:r]"}},
	} {
		var got []string
		for _, p := range leadOf(objectsOf(test.report.Objects), test.report) {
			text := p.After + " " + p.Text
			if p.After != "" {
				text = p.After + p.Text
			}
			if p.Alarm {
				text += "!"
			}
			if p.To != nil {
				text += fmt.Sprint(" ", p.To)
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	r := reportOf(deleted("ConfigMap", "a"), deleted("ConfigMap", "b"), report.Object{Action: report.Adopt}, updated("x"))
	r.Counts["wait"], r.OtherResources, r.Incomplete = 1, 2, []string{"There is no log."}
	want := "Objects: 2 deleted, 1 adopted, 1 updated. The apply waits for one. " +
		"2 resources of other providers change; this page does not read them. There is no log."
	if got := summary(r); got != want {
		t.Errorf("the summary is %q, want %q", got, want)
	}
	if got := summary(reportOf(report.Object{Action: report.NoOp})); got != "No object changes." {
		t.Errorf("without a change, the summary is %q", got)
	}
	const runs = "The apply runs action.k8sconnect_disown.x. The plan does not show what they change."
	if got := summary(report.Report{Actions: []string{"action.k8sconnect_disown.x"}}); got != runs {
		t.Errorf("of an action alone, the summary is %q", got)
	}
}
