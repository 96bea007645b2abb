package acceptance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// adoption is one row of the rules by which server-side apply decides about a field: its value, the desired
// value, and its owners.
type adoption struct {
	name string
	// before and after are the data of the ConfigMap in the configuration, in flow style.
	before, after string
	// meanwhile is what another client does between the two.
	meanwhile func(s *story.Story, target string)
	// update is true if the second configuration sends an apply.
	update bool
	// live is data.field after the apply, Absent for no value, and owners are the owners of the field, "" for nobody.
	live, owners string
	// warning is what the plan says about the field; "" for nothing.
	warning string
}

// byConsole writes a value of data.field under another manager's name.
func byConsole(value string) func(*story.Story, string) {
	return func(s *story.Story, target string) {
		s.As("console").Patch(target, fmt.Sprintf(`{"data":{"field":%q}}`, value))
	}
}

// disowned gives data.field a value that no manager owns, as a release of whoever wrote it leaves behind.
func disowned(s *story.Story, target string) {
	s.As("console").Patch(target, `{"data":{"field":"1"}}`)
	s.As("console").Put(target, func(object map[string]any) {
		metadata, _ := object["metadata"].(map[string]any)
		entries, _ := metadata["managedFields"].([]any)
		var kept []any
		for _, entry := range entries {
			if fields, _ := entry.(map[string]any); fields["manager"] != "console" {
				kept = append(kept, entry)
			}
		}
		metadata["managedFields"] = kept
	})
}

var adoptions = []adoption{
	{
		name: "equal-and-ours", before: `field: "1"`, after: `field: "1"`,
		live: "1", owners: story.Us,
	},
	{
		name: "equal-and-shared", before: `field: "1"`, after: `field: "1"`,
		meanwhile: func(s *story.Story, target string) { s.As("helm").Apply(configMapOf(name(target), `field: "1"`)) },
		live:      "1", owners: "helm " + story.Us,
	},
	{
		name: "other-and-ours", before: `field: "1"`, after: `field: "2"`, update: true,
		live: "2", owners: story.Us,
	},
	{
		name: "gone-and-ours", before: `field: "1"`, after: ``, update: true,
		live: story.Absent,
	},
	{
		name: "gone-and-anothers", before: `field: "1"`, after: ``, meanwhile: byConsole("2"), update: true,
		live: "2", owners: "console", warning: `data.field: "2", owned by "console"`,
	},
	{
		name: "gone-and-shared", before: `field: "1"`, after: ``, update: true,
		meanwhile: func(s *story.Story, target string) { s.As("helm").Apply(configMapOf(name(target), `field: "1"`)) },
		live:      "1", owners: "helm", warning: `data.field: "1", owned by "helm"`,
	},
	{
		name: "never-there-and-anothers", before: ``, after: ``, meanwhile: byConsole("2"),
		live: "2", owners: "console",
	},
	{
		name: "new-and-missing", before: ``, after: `field: "1"`, update: true,
		live: "1", owners: story.Us,
	},
	{
		name: "new-and-nobodys", before: ``, after: `field: "2"`, meanwhile: disowned, update: true,
		live: "2", owners: story.Us, warning: `data.field: "1" -> "2"`,
	},
	{
		name: "new-equal-and-anothers", before: ``, after: `field: "1"`, meanwhile: byConsole("1"), update: true,
		live: "1", owners: "console " + story.Us, warning: `data.field: "1", owned by "console"`,
	},
	{
		name: "new-other-and-anothers", before: ``, after: `field: "1"`, meanwhile: byConsole("2"), update: true,
		live: "1", owners: story.Us, warning: `data.field: "2" -> "1", owned by "console"`,
	},
}

// configMapOf returns a ConfigMap with an anchor of ours and these entries.
func configMapOf(name, entries string) string {
	return fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: NS}, data: {%s}}", name, entries)
}

func anchored(name, entries string) string {
	return configMapOf(name, strings.TrimSuffix("anchor: here, "+entries, ", "))
}

func name(target string) string { return strings.Fields(target)[2] }

func (a adoption) target() string { return "v1 ConfigMap " + a.name }

func (a adoption) address() string { return "k8sconnect_manifest." + a.name }

// TestAdoption plays every row on an object of its own, in one configuration, and counts the requests of
// each from the audit log.
func TestAdoption(t *testing.T) {
	s := story.New(t)
	configuration := func(pick func(adoption) string) string {
		text := s.ProviderBlock()
		for _, row := range adoptions {
			text += s.Manifest(row.name, anchored(row.name, pick(row)))
		}
		return text
	}
	m := s.Meter()
	var planned []plancheck.PlanCheck
	var stored []statecheck.StateCheck
	var applied []resource.TestCheckFunc
	for _, row := range adoptions {
		planned = append(planned, row.expectPlan(s)...)
		stored = append(stored, row.expectState())
		applied = append(applied, row.expectLive(s), row.expectRequests(m))
	}
	s.Run(
		resource.TestStep{Config: configuration(func(a adoption) string { return a.before })},
		resource.TestStep{
			PreConfig: func() {
				for _, row := range adoptions {
					if row.meanwhile != nil {
						row.meanwhile(s, row.target())
					}
				}
				m.Start()
			},
			Config:            configuration(func(a adoption) string { return a.after }),
			ConfigPlanChecks:  story.PlanChecks(append(planned, expectAdoptionWarnings(s))...),
			ConfigStateChecks: stored,
			Check:             resource.ComposeAggregateTestCheckFunc(applied...),
		},
	)
}

func (a adoption) expectPlan(s *story.Story) []plancheck.PlanCheck {
	if !a.update {
		return []plancheck.PlanCheck{plancheck.ExpectResourceAction(a.address(), plancheck.ResourceActionNoop)}
	}
	return []plancheck.PlanCheck{
		plancheck.ExpectResourceAction(a.address(), plancheck.ResourceActionUpdate),
		story.Check(func(ctx context.Context, req plancheck.CheckPlanRequest) error {
			p, err := story.PlannedAt(req, a.address())
			if err == nil {
				err = s.OwnersAgree(ctx, anchored(a.name, a.after), p)
			}
			return err
		}),
	}
}

// expectAdoptionWarnings asserts that each row that is to be warned of is, and no other.
func expectAdoptionWarnings(s *story.Story) plancheck.PlanCheck {
	return story.Check(func(context.Context, plancheck.CheckPlanRequest) error {
		warnings := s.Provider.Take()
		for _, row := range adoptions {
			var about []string
			for _, warning := range warnings {
				if strings.Contains(warning, s.Expand("ConfigMap NS/"+row.name+" (v1)")) {
					about = append(about, warning)
				}
			}
			switch text := strings.Join(about, "\n---\n"); {
			case row.warning == "" && len(about) > 0:
				return fmt.Errorf("%s: unexpected warning:\n%s", row.name, text)
			case row.warning != "" && (len(about) != 1 || !strings.Contains(text, row.warning)):
				return fmt.Errorf("%s: want one warning with %q, got:\n%s", row.name, row.warning, text)
			}
		}
		return nil
	})
}

// expectState asserts the owners and the managed value in the state.
func (a adoption) expectState() statecheck.StateCheck {
	return story.AllStates(func(all map[string]map[string]any) error {
		attributes := all[a.address()]
		want := map[string]string{"owners": a.owners, "managed": story.Absent}
		if strings.Contains(a.owners, story.Us) {
			want["managed"] = a.live
		}
		got := map[string]string{"owners": story.OwnersOf(attributes)["data.field"], "managed": story.Entry(attributes, story.ManagedState, "data.field")}
		if diff := cmp.Diff(want, got); diff != "" {
			return fmt.Errorf("%s: data.field in the state (-want +got):\n%s", a.name, diff)
		}
		return nil
	})
}

func (a adoption) expectLive(s *story.Story) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		owners := strings.Fields(a.owners)
		if err := s.ExpectOwners(a.target(), "data.field", owners...)(state); err != nil {
			return err
		}
		return s.ExpectLive(a.target(), map[string]any{"data.field": a.live, "data.anchor": "here"})(state)
	}
}

// expectRequests asserts that a row without an update sent nothing but reads, and the others one PATCH
// beside the dry-runs of the two plans.
func (a adoption) expectRequests(m *story.Meter) resource.TestCheckFunc {
	return func(*terraform.State) error {
		sent := []string{}
		for _, line := range m.Lines() {
			if strings.Contains(line, " configmaps NS/"+a.name+" ") && !strings.HasPrefix(line, "get ") {
				sent = append(sent, line)
			}
		}
		want := []string{}
		if a.update {
			patch := "patch configmaps NS/" + a.name
			want = append(want, patch+" 200", patch+" dry-run 200", patch+" dry-run 200")
		}
		if diff := cmp.Diff(want, sent); diff != "" {
			return fmt.Errorf("%s: requests beside reads (-want +got):\n%s", a.name, diff)
		}
		return nil
	}
}
