package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/kubernetesstub"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/play"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A resource of the source that names no namespace is about the namespace default, or about a cluster-scoped object.
func TestMovedNamespaces(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ kind, object, hcl, target string }{
		"default":        {"ConfigMap", "metadata: {name: NS, namespace: default", `{ api_version = "v1", kind = "ConfigMap", name = "NS" }`, "v1 ConfigMap default/NS"},
		"named":          {"ConfigMap", "metadata: {name: NS, namespace: default", `{ api_version = "v1", kind = "ConfigMap", namespace = "default", name = "NS" }`, "v1 ConfigMap default/NS"},
		"cluster-scoped": {"Namespace", "metadata: {name: NS", `{ api_version = "v1", kind = "Namespace", name = "NS" }`, "v1 Namespace NS"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			target := s.Expand(tc.target)
			object := "apiVersion: v1\nkind: " + tc.kind + "\n" + tc.object
			config := moved("labels") + patch(s, tc.hcl, "metadata: {labels: {team: a}}")
			run(s,
				resource.TestStep{
					PreConfig: func() {
						s.As("bob").Apply(object + ", labels: {kept: k}}\n")
						s.As(terraformManager).Apply(object + ", labels: {team: a}}\n")
					},
					Config: source(s, "labels", "api_version = \"v1\"\nkind = \""+tc.kind+"\"\nmetadata {\n  name = \"NS\"\n}\nlabels = { team = \"a\" }"),
				},
				resource.TestStep{
					Config:           config,
					ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(story.PatchAddress, plancheck.ResourceActionUpdate), story.ExpectOnly(story.ManagedState)),
					Check:            story.LiveChecks(expectEntry(s, target, isTerraform, 0), expectEntry(s, target, patchManager, 1)),
				},
				s.Noop(config),
				resource.TestStep{
					Config: s.ProviderBlock(),
					Check:  s.ExpectJSONPath(target, map[string]string{"{.metadata.labels.team}": "", "{.metadata.labels.kept}": "k"}),
				},
			)
		})
	}
}

// A plan without a refresh cannot tell what changes.
func TestMovedWithoutRefresh(t *testing.T) {
	s := story.New(t)
	factories := s.Provider.Factories(s.UserAgent)
	factories["kubernetes"] = kubernetesstub.New
	play.Steps(t, play.Case{
		Providers: factories,
		NoRefresh: true,
		Steps: []resource.TestStep{
			startOfData(s),
			{Config: movedData(s, `data: {a: "1"}`), ExpectError: story.Saying("Moved Without Refresh", s.Expand("ConfigMap NS/settings"), "Plan without -refresh=false")},
			{Config: dataSource(s), Check: s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","b":"2","c":"3"}`, "data")},
		},
	})
}

// A destroy right after the move ends what the source applied.
func TestMovedAndDestroyed(t *testing.T) {
	s := story.New(t)
	run(s,
		startOfData(s),
		resource.TestStep{
			Config:  movedData(s, `data: {a: "1", c: "3"}`),
			Destroy: true,
			Check:   story.LiveChecks(s.ExpectLiveJSON(story.SettingsTarget, `{"b":"2"}`, "data"), expectEntry(s, story.SettingsTarget, isTerraform, 0)),
		},
	)
}

// An object that is gone takes the moved patch with it, and the next one of its name gets a new patch.
func TestMovedGone(t *testing.T) {
	s := story.New(t)
	config := movedData(s, `data: {a: "1", c: "3"}`)
	run(s,
		startOfData(s),
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("bob").Remove(story.SettingsTarget) }),
			Config:    config,
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.PatchAddress, plancheck.ResourceActionCreate), s.ExpectWarning("Object Not Found Yet"),
				story.Meanwhile(func() { s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "2"}`)) }),
			),
			Check: s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","b":"2","c":"3"}`, "data"),
		},
		s.Noop(config),
	)
}

// A state that cannot be moved is an error before any request.
func TestMovedRefused(t *testing.T) {
	s := story.New(t)
	run(s,
		resource.TestStep{
			PreConfig: func() { s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "2"}`)) },
			Config:    source(s, "service", "metadata {\n  name = \"settings\"\n}"),
		},
		resource.TestStep{
			Config:      moved("service") + patch(s, targetOfSettings, `data: {a: "1"}`),
			ExpectError: story.Saying("Unsupported Move", "kubernetes_service cannot be moved to k8sconnect_patch", "hashicorp/kubernetes: kubernetes_labels"),
		},
		resource.TestStep{Config: source(s, "service", "metadata {\n  name = \"settings\"\n}")},
	)
}

// A move needs a connection of the provider, because the state has none.
func TestMovedWithoutConnection(t *testing.T) {
	s := story.New(t)
	run(s,
		startOfData(s),
		resource.TestStep{
			Config:      moved("config_map_v1_data") + patch(s, targetOfSettings, `data: {a: "1"}`)[len(s.ProviderBlock()):],
			ExpectError: story.Saying("No Cluster Configured", "could not be moved", "for the move"),
		},
		resource.TestStep{Config: dataSource(s)},
	)
}
