package acceptance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// owners returns who owns what of an object, status left out.
func (i invoker) owners(target string) []string {
	i.T.Helper()
	held, err := story.HeldOnServer(i.Live(target))
	story.Must(i.T, err)
	var all []string
	for _, h := range held {
		all = append(all, h.Manager+" "+h.Path.String())
	}
	slices.Sort(all)
	return all
}

// values returns an object without its status, and without what each write changes.
func (i invoker) values(target string) map[string]any {
	i.T.Helper()
	object := i.Live(target)
	object.SetManagedFields(nil)
	object.SetResourceVersion("")
	delete(object.Object, "status")
	return object.Object
}

// Claims of managers end, and no value changes: one LIST, and a GET and a PATCH for each object that has such a claim.
// A dry run says the same and changes nothing. The owners that no client named stay, those of status among them.
func TestDisown(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	i.As("kubectl-client-side-apply").ApplyClientSide(story.ConfigMapIn("stale", `data: {a: "1", b: "2"}`, "labels: {tidy: \"yes\"}"))
	i.As("k8sconnect-patch-00000000").Apply(story.ConfigMapIn("stale", `data: {c: "3"}`))
	i.As(story.Us).Apply(story.ConfigMapIn("stale", `data: {a: "1"}`))
	i.As("helm").Create(story.ConfigMapIn("clean", `data: {a: "1"}`, "labels: {tidy: \"yes\"}"))
	i.As("kubectl-client-side-apply").ApplyClientSide(story.ConfigMapIn("other", `data: {a: "1"}`))
	config := []string{
		`managers = ["kubectl-client-side-apply", "k8sconnect*"]`, `kinds = ["ConfigMap"]`, `namespace = "NS"`, `label_selector = "tidy=yes"`,
	}
	i.Configure(i.action("disown", "stale", config...), i.action("disown", "dry", append(config, "dry_run = true")...))
	const stale = "v1 ConfigMap stale"
	values, owners, list := i.values(stale), i.owners(stale), "list configmaps NS 200"
	line := func(verb string) []string {
		return []string{
			"ConfigMap NS/stale (v1): k8sconnect-patch-00000000 (Apply) " + verb + " own data.c",
			"ConfigMap NS/stale (v1): kubectl-client-side-apply (Update) " + verb + " own data.a, data.b, metadata.annotations.kubectl.kubernetes.io/last-applied-configuration, metadata.labels.tidy",
		}
	}
	i.ExpectCostOf("a dry run", []string{list, "get configmaps NS/stale 200"}, func() {
		i.expect("a dry run", append(line("would no longer"), "Dry run: claims on 1 object would end."), i.invoke("disown.dry"))
	})
	i.expect("the owners after a dry run", owners, i.owners(stale))
	i.ExpectCostOf("the action", []string{list, "get configmaps NS/stale 200", "patch configmaps NS/stale 200"}, func() {
		want := append(line("no longer"), "Claims on 1 object have ended.")
		for at := range want {
			want[at] = strings.Replace(want[at], "no longer own ", "no longer owns ", 1)
		}
		i.expect("the action", want, i.invoke("disown.stale"))
	})
	if diff := cmp.Diff(values, i.values(stale)); diff != "" {
		t.Errorf("values have changed (-before +after):\n%s", diff)
	}
	i.expect("the owners", []string{"k8sconnect .data.a"}, i.owners(stale))
	if len(i.owners("v1 ConfigMap other")) < 2 {
		t.Error("an object that was not selected has lost owners")
	}
	i.ExpectCostOf("a second run", []string{list}, func() {
		i.expect("a second run", []string{"No object has a claim of these managers."}, i.invoke("disown.stale"))
	})
}

// One object, of which a controller owns the status by updates and another client scales. Its claims on status stay,
// whatever their manager is called.
func TestDisownKeepsStatus(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	i.Configure(i.action("disown", "web", `managers = ["kubectl", "kube-controller-manager"]`, i.target(story.Web)))
	i.As("alice").Apply(story.Deployment)
	i.As("kubectl").Scale(story.Web, 2)
	i.Await("the controller has seen it", func() bool {
		status, _ := i.Live(story.Web).Object["status"].(map[string]any)
		ending, has := status["terminatingReplicas"]
		return (!has || ending == int64(0)) && status["readyReplicas"] == int64(2) && status["observedGeneration"] == i.Live(story.Web).GetGeneration()
	})
	statusBefore, values := i.statusClaims(), i.values(story.Web)
	progress := i.invoke("disown.web")
	if !slices.Contains(progress, "Deployment NS/web (apps/v1): kubectl (Update of scale) no longer owns spec.replicas") {
		t.Errorf("the progress is\n%s", strings.Join(progress, "\n"))
	}
	if diff := cmp.Diff(values, i.values(story.Web)); diff != "" {
		t.Errorf("values have changed (-before +after):\n%s", diff)
	}
	i.expect("the claims on status", statusBefore, i.statusClaims())
	if by, _ := i.LiveOwners(story.Web, "spec.replicas"); len(by) > 0 {
		t.Errorf("spec.replicas is owned by %q", by)
	}
}

// The end of the last claim leaves a placeholder, so that whoever applies the object next owns alone what it applies.
func TestDisownOfTheLastClaim(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	const stale = "v1 ConfigMap stale"
	whole := story.ConfigMapIn("stale", `data: {a: "1", b: "2"}`)
	i.As("kubectl-client-side-apply").ApplyClientSide(whole)
	i.Configure(i.action("disown", "stale", `managers = ["kubectl-client-side-apply"]`, i.target(stale)))
	i.invoke("disown.stale")
	i.expect("the owners", []string{"before-first-apply .metadata.name"}, i.owners(stale))
	i.As("flux").Apply(whole)
	i.As("flux").Apply(story.ConfigMapIn("stale", `data: {a: "1"}`))
	story.Must(t, i.ExpectLiveJSON(stale, `{"a":"1"}`, "data")(nil))
}

// statusClaims returns the entries that were written through the status of the Deployment, without their times.
func (i invoker) statusClaims() []string {
	var all []string
	for _, entry := range i.Live(story.Web).GetManagedFields() {
		if entry.Subresource == "status" {
			all = append(all, entry.Manager+" "+string(entry.FieldsV1.GetRawBytes()))
		}
	}
	if len(all) == 0 {
		i.T.Error("nobody owns the status")
	}
	return all
}

// What cannot be disowned is an error, and nothing changes.
func TestDisownRefused(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	i.Configure(
		i.action("disown", "own", `managers = ["k8sconnect"]`, `kinds = ["ConfigMap"]`),
		i.action("disown", "unknown", `managers = ["kubectl"]`, `kinds = ["Gadgetry"]`),
		i.action("disown", "absent", `managers = ["kubectl"]`, i.target("v1 ConfigMap absent")),
		i.action("disown", "scoped", `managers = ["kubectl"]`, `kinds = ["Node"]`, `namespace = "NS"`),
	)
	i.says(i.refuses("disown.own"), "Own Field Manager", `managers contains "k8sconnect", the field manager of this provider`, `on_destroy = "release"`)
	i.says(i.refuses("disown.unknown"), "Kind Not Served", "no kind Gadgetry")
	i.says(i.refuses("disown.absent"), "Object Not Found", "ConfigMap NS/absent (v1) could not be disowned")
	i.says(i.refuses("disown.scoped"), "Invalid Namespace", "Node is cluster-scoped")
}
