package acceptance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/kubernetesstub"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const bothEntries = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: NS}\ndata: {a: \"1\", c: \"3\"}\n"

// oneEntry is bothEntries without c.
var oneEntry = strings.Replace(bothEntries, `, c: "3"`, "", 1)

// hcl returns the argument manifest.
func hcl(body string) string { return "manifest = yamldecode(<<-YAML\n" + body + "YAML\n)" }

// movedHere returns a resource that comes from one of the stub.
func movedHere(s *story.Story, name string, arguments ...string) string {
	return s.ProviderBlock() + strings.Replace(moved(name), "k8sconnect_patch", "k8sconnect_manifest", 1) +
		s.Expand(fmt.Sprintf("resource \"k8sconnect_manifest\" \"test\" {\n%s\n}\n", strings.Join(arguments, "\n")))
}

// startOfManifest returns the first step of a story: kubernetes_manifest has applied, and afterwards other managers
// have written.
func startOfManifest(s *story.Story, afterwards ...func()) resource.TestStep {
	return resource.TestStep{
		PreConfig: func() {
			s.As(terraformManager).Apply(bothEntries)
			for _, write := range afterwards {
				write()
			}
		},
		Config: source(s, "manifest", hcl(bothEntries)),
	}
}

// A configuration that keeps the field manager has nothing to do, and owns the fields all the same.
func TestMovedObjectKeepsManager(t *testing.T) {
	s := story.New(t)
	run(s,
		startOfManifest(s),
		resource.TestStep{
			Config:           movedHere(s, "manifest", hcl(bothEntries), keepsManager),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
		},
		s.Noop(movedHere(s, "manifest", hcl(bothEntries), keepsManager)),
		resource.TestStep{
			Config:           movedHere(s, "manifest", hcl(oneEntry), keepsManager),
			ConfigPlanChecks: story.PlanChecks(story.ExpectOnly(story.ManagedState, "data.c: 3 -> (absent)")),
			Check:            story.LiveChecks(s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1"}`, "data"), expectEntry(s, story.SettingsTarget, isTerraform, 1)),
		},
		s.Noop(movedHere(s, "manifest", hcl(oneEntry), keepsManager)),
	)
}

// A field that the move and the configuration drop at once leaves the object, because what the source applied counts as ours.
func TestMovedObjectLosesAField(t *testing.T) {
	s := story.New(t)
	run(s,
		startOfManifest(s),
		resource.TestStep{
			Config:           movedHere(s, "manifest", hcl(oneEntry)),
			ConfigPlanChecks: story.PlanChecks(story.ExpectOnly(story.ManagedState, "data.c: 3 -> (absent)")),
			Check:            story.LiveChecks(s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1"}`, "data"), expectEntry(s, story.SettingsTarget, isTerraform, 0)),
		},
	)
}

// What other managers have changed since the last apply of the source is a conflict in the first plan.
func TestMovedObjectAfterDrift(t *testing.T) {
	s := story.New(t)
	run(s,
		startOfManifest(s, func() { s.As("kubectl-edit").Patch(story.SettingsTarget, `{"data": {"a": "theirs"}}`) }),
		resource.TestStep{
			PreConfig:        s.NextStep(),
			Config:           movedHere(s, "manifest", hcl(bothEntries)),
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`data.a: "theirs" -> "1"`, "kubectl-edit")),
			Check:            s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","c":"3"}`, "data"),
		},
		s.Noop(movedHere(s, "manifest", hcl(bothEntries))),
	)
}

// An object that kubernetes_manifest applied can be written as text: the plan shows the other attribute, and no value.
func TestMovedObjectAsText(t *testing.T) {
	s := story.New(t)
	config := movedHere(s, "manifest", "yaml_body = <<-YAML\n"+bothEntries+"YAML")
	run(s,
		startOfManifest(s),
		resource.TestStep{
			Config:           config,
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate), story.ExpectOnly(story.ManagedState)),
			Check:            s.ExpectOwners(story.SettingsTarget, "data.a", story.Us),
		},
		s.Noop(config),
	)
}

// Fields that the source computed are left to other managers, with their values.
func TestMovedObjectWithComputedFields(t *testing.T) {
	s := story.New(t)
	config := movedHere(s, "manifest", hcl(bothEntries), `ignore_fields = ["data.c"]`)
	run(s,
		resource.TestStep{
			PreConfig: func() { s.As(terraformManager).Apply(bothEntries) },
			Config:    source(s, "manifest", hcl(bothEntries)+"\ncomputed_fields = [\"metadata.labels\", \"data.c\"]"),
		},
		resource.TestStep{
			Config: config,
			ConfigPlanChecks: story.PlanChecks(story.ExpectOnly(story.ManagedState, "data.c: 3 -> (absent)"), story.Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
				planned, err := story.PlannedOf(req)
				if was := story.AsJSON(planned.Before["ignore_fields"]); err == nil && was != `["data.c"]` {
					return fmt.Errorf("the move brought ignore_fields %s", was)
				}
				return err
			})),
			Check: story.LiveChecks(s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","c":"3"}`, "data"), s.ExpectNoOwner(story.SettingsTarget, "data.c")),
		},
		s.Noop(config),
	)
}

const updated = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS, labels: {tier: front}}\n" +
	"spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: \"nginx:1.25\"}]}}}\n"

const typedWeb = "metadata {\n  name = \"web\"\n  namespace = \"NS\"\n}"

// take_over_managers = [] takes over nothing, also of the source.
func TestMovedObjectTakesNothingOver(t *testing.T) {
	s := story.New(t)
	config := func(body string) string {
		return movedHere(s, "deployment_v1", "yaml_body = <<-YAML\n"+body+"YAML", "take_over_managers = []")
	}
	less := strings.Replace(updated, ", labels: {tier: front}", "", 1)
	run(s,
		resource.TestStep{PreConfig: func() { s.As("HashiCorp").Create(updated) }, Config: source(s, "deployment_v1", typedWeb)},
		resource.TestStep{Config: config(updated), Check: s.ExpectOwners(story.Web, "metadata.labels.tier", "HashiCorp", story.Us)},
		resource.TestStep{Config: config(less), Check: s.ExpectJSONPath(story.Web, map[string]string{"{.metadata.labels.tier}": "front"})},
	)
}

// A source that wrote by update before it applied loses both claims.
func TestMovedObjectOfBothOperations(t *testing.T) {
	s := story.New(t)
	run(s,
		startOfManifest(s, func() { s.As("HashiCorp").Patch(story.SettingsTarget, `{"data": {"a": "1", "c": "3"}}`) }),
		resource.TestStep{
			PreConfig: func() {
				s.As("HashiCorp").Patch(story.SettingsTarget, `{"data": {"a": "0"}}`)
				s.As("HashiCorp").Patch(story.SettingsTarget, `{"data": {"a": "1"}}`)
				s.As(terraformManager).Apply(bothEntries)
			},
			Config: movedHere(s, "manifest", hcl(bothEntries)),
			Check:  s.ExpectOwners(story.SettingsTarget, "data.a", story.Us),
		},
		resource.TestStep{Config: movedHere(s, "manifest", hcl(strings.Replace(bothEntries, `a: "1", `, "", 1))), Check: s.ExpectLiveJSON(story.SettingsTarget, `{"c":"3"}`, "data")},
	)
}

// A typed resource that names no namespace is about the namespace default.
func TestMovedTypedNamespace(t *testing.T) {
	s := story.New(t)
	t.Cleanup(func() {
		_ = s.Typed.AppsV1().Deployments("default").Delete(context.Background(), s.Namespace, metav1.DeleteOptions{})
	})
	body := strings.Replace(updated, "name: web, namespace: NS", "name: NS, namespace: default", 1)
	config := movedHere(s, "deployment_v1", "yaml_body = <<-YAML\n"+body+"YAML")
	run(s,
		resource.TestStep{PreConfig: func() { s.As("HashiCorp").Create(body) }, Config: source(s, "deployment_v1", "id = \"NS\"")},
		resource.TestStep{
			Config:           config,
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate), story.ExpectOnly(story.ManagedState)),
			Check:            s.ExpectOwners(s.Expand("apps/v1 Deployment default/NS"), "metadata.labels.tier", story.Us),
		},
		s.Noop(config),
	)
}

// An object that is gone leaves the state, and the plan creates it.
func TestMovedTypedGone(t *testing.T) {
	s := story.New(t)
	config := movedHere(s, "deployment_v1", "yaml_body = <<-YAML\n"+updated+"YAML")
	run(s,
		resource.TestStep{PreConfig: func() { s.As("HashiCorp").Create(updated) }, Config: source(s, "deployment_v1", typedWeb)},
		resource.TestStep{
			PreConfig:        func() { s.As("bob").Remove(story.Web) },
			Config:           config,
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionCreate)),
		},
		s.Noop(config),
	)
}

// A destroy right after the move deletes the object.
func TestMovedObjectDestroyed(t *testing.T) {
	s := story.New(t)
	run(s,
		startOfManifest(s),
		resource.TestStep{Config: movedHere(s, "manifest", hcl(bothEntries)), Destroy: true, Check: s.ExpectGone(story.SettingsTarget)},
	)
}

// A state that describes no whole object is an error that names the resource to use instead.
func TestMovedObjectRefused(t *testing.T) {
	s := story.New(t)
	const metadata = "metadata {\n  name = \"settings\"\n}"
	config := movedHere(s, "labels", hcl(bothEntries))
	run(s,
		resource.TestStep{Config: source(s, "labels", metadata)},
		resource.TestStep{Config: config, ExpectError: story.Saying("Unsupported Move", "kubernetes_labels cannot be moved to k8sconnect_manifest", "k8sconnect_patch is the resource for that")},
		resource.TestStep{Config: source(s, "labels", metadata)},
		resource.TestStep{Config: source(s, "token_request_v1", metadata)},
		resource.TestStep{Config: movedHere(s, "token_request_v1", hcl(bothEntries)), ExpectError: story.Saying("kubernetes_token_request_v1", "it leaves no object on the cluster")},
		resource.TestStep{Config: source(s, "token_request_v1", metadata)},
	)
}

// A kubectl_manifest that an import made may have a body that no client can apply. The read writes another one, and
// what the resource applied counts as ours all the same.
func TestMovedKubectlBodyOfTheServer(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	o := origins()["kubectl of alekc, under a name"]
	stub, err := kubernetesstub.Serve(t, o.provider)
	story.Must(t, err)
	w.Env = append(w.Env, stub)
	o.apply(s, bothEntries)
	o.configure(w, "resource \"kubectl_manifest\" \"settings\" {\n  server_side_apply = true\n  field_manager = \"team\"\n"+
		"  api_version = \"v1\"\n  kind = \"ConfigMap\"\n  namespace = \"NS\"\n  name = \"settings\"\n"+
		yamlBody(strings.Replace(bothEntries, "metadata: {", "metadata: {generation: 2, ", 1))+"}\n")
	w.Do("apply", "-auto-approve")
	objects := map[string]string{"settings": bothEntries}
	o.configure(w, o.here(objects))
	w.Do("plan", "-out=first.plan")
	w.ExpectSaved("first.plan", o.expectHandedOver("settings"))
	w.Do("apply", "first.plan")
	o.configure(w, o.here(objects, `, c: "3"`, ""))
	w.Do("apply", "-auto-approve")
	story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1"}`, "data")(nil))
}
