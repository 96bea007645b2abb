package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// ofHelm plays a release of Helm with two ConfigMaps, and a set with the first one.
type ofHelm struct{ *hooked }

const ofRelease = "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: NS, annotations: {meta.helm.sh/release-name: web}}, data: {a: '1'}}"

// newOfHelm installs the release as a program does that writes under the name of a manager.
func newOfHelm(t *testing.T, manager string) *ofHelm {
	t.Helper()
	r := &ofHelm{newHooked(t)}
	var texts []string
	for _, name := range []string{"a", "b"} {
		text := r.Expand(fmt.Sprintf(ofRelease, name))
		texts = append(texts, text)
		if manager == "helm" {
			r.As(manager).Apply(text)
		} else {
			r.As(manager).Create(text)
		}
	}
	r.StoreRelease("Secret", "web.v1", "superseded", "")
	r.StoreRelease("Secret", "web.v2", "deployed", strings.Join(texts, "\n---\n"), story.WidgetDefinition)
	r.hooks["once"] = job("once", `helm.sh/hook: "post-install,post-upgrade"`, "")
	return r
}

// takes configures the set with its argument take_over_release.
func (r *ofHelm) takes(value string, arguments ...string) {
	r.T.Helper()
	r.set(value, append(arguments, fmt.Sprintf("take_over_release = {\n name = \"web\"\n namespace = %q\n}", r.Namespace))...)
}

// expectTexts fails unless a text, without line breaks and borders, contains others.
func (r *ofHelm) expectTexts(text string, wanted ...string) {
	r.T.Helper()
	text = strings.Join(strings.Fields(strings.NewReplacer("│", "", "╷", "", "╵", "").Replace(text)), " ")
	for _, want := range wanted {
		if want = r.Expand(want); !strings.Contains(text, want) {
			r.T.Errorf("%q is not in:\n%s", want, text)
		}
	}
}

// The objects of a release come under management as they are, whichever program has written it, and Helm forgets it. Its
// other objects stay, and hooks do not run.
func TestTakeOverRelease(t *testing.T) {
	for _, manager := range []string{"helm", "terraform-provider-helm_v3.1.1_x5"} {
		t.Run(manager, func(t *testing.T) {
			r := newOfHelm(t, manager)
			before := r.Live("v1 ConfigMap NS/a")
			r.takes("1")
			plan := r.Exits(story.Changes, "plan", "-detailed-exitcode", "-out=p")
			r.expectTexts(plan, "Release Taken Over", "release web in namespace NS (web-0.1.0)", "Secret sh.helm.release.v1.web.v1 Secret sh.helm.release.v1.web.v2",
				"not in this set. They stay on the cluster: ConfigMap NS/b CustomResourceDefinition widgets.NS.example.com",
				"No hooks run", "because it belongs to the Helm release in take_over_release", `data.a: "`+manager+`" -> "k8sconnect`)
			if strings.Contains(plan, "post-install once") || strings.Contains(plan, "release-name") {
				t.Errorf("the plan runs a hook, or tells of an annotation of Helm:\n%s", plan)
			}
			r.Do("apply", "p")
			for _, revision := range []string{"1", "2"} {
				if !r.Gone("v1 Secret NS/sh.helm.release.v1.web.v" + revision) {
					t.Errorf("revision %s of the release is still there", revision)
				}
			}
			after := r.Live("v1 ConfigMap NS/a")
			if before.GetUID() != after.GetUID() || !r.Gone("batch/v1 Job NS/once") || r.Gone("v1 ConfigMap NS/b") {
				t.Error("an object was made again, a hook ran, or an object that is not in the set is gone")
			}
			// Helm's annotation is not in the manifest, and stays Helm's.
			r.expectOwner(`data.a`, r.State()[0].AttributeValues["field_manager"].(string))
			r.expectOwner("metadata.annotations.meta.helm.sh/release-name", manager)
			r.Exits(story.Nothing, "plan", "-detailed-exitcode")
			r.set("1")
			r.Do("apply", "-auto-approve")
			r.Exits(story.Nothing, "plan", "-detailed-exitcode")
			r.set("2")
			r.Do("apply", "-auto-approve")
			r.Live("batch/v1 Job NS/once")
		})
	}
}

func (r *ofHelm) expectOwner(field, owner string) {
	r.T.Helper()
	if err := r.ExpectOwners("v1 ConfigMap NS/a", field, owner)(nil); err != nil {
		r.T.Error(err)
	}
}

// A set that has adopted the objects before takes the release over later, with the hooks of an upgrade if a manifest
// changes. A release that Helm stores in ConfigMaps is one, too.
func TestTakeOverReleaseLater(t *testing.T) {
	r := newOfHelm(t, "helm")
	r.set("1", "adopt_existing = true")
	r.Do("apply", "-auto-approve")
	r.StoreRelease("ConfigMap", "web.v3", "failed", "")
	r.takes("2", "adopt_existing = true")
	r.expectTexts(r.Do("plan"), "Release Taken Over", "ConfigMap sh.helm.release.v1.web.v3", "post-upgrade once")
	r.Do("apply", "-auto-approve")
	if !r.Gone("v1 ConfigMap NS/sh.helm.release.v1.web.v3") || !r.Gone("v1 Secret NS/sh.helm.release.v1.web.v2") {
		t.Error("the release is still there")
	}
	r.Exits(story.Nothing, "plan", "-detailed-exitcode")
	// Another client installs it again.
	r.StoreRelease("Secret", "web.v1", "deployed", r.Expand(fmt.Sprintf(ofRelease, "a")))
	r.expectTexts(r.Exits(story.Changes, "plan", "-detailed-exitcode"), "Release Taken Over")
	r.Do("apply", "-auto-approve")
	r.Exits(story.Nothing, "plan", "-detailed-exitcode")
}

// What is wrong with a release is said in the plan, and nothing is taken over that is not of it.
func TestReleasesThatAreNotTakenOver(t *testing.T) {
	r := newOfHelm(t, "helm")
	r.As("kubectl").Create(fmt.Sprintf(ofRelease, "other"))
	r.takes("1")
	refuse := func(texts ...string) {
		t.Helper()
		out, err := r.Try("apply", "-auto-approve")
		if err == nil {
			t.Fatalf("it is not refused:\n%s", out)
		}
		r.expectTexts(out, texts...)
	}
	r.StoreRelease("Secret", "web.v3", "pending-upgrade", "")
	refuse("Release Is Not Deployed", "release web in namespace NS is pending-upgrade")
	r.As("kubectl").Remove("v1 Secret NS/sh.helm.release.v1.web.v3")
	r.As("kubectl").Create("{apiVersion: v1, kind: Secret, metadata: {name: broken, namespace: NS, labels: {owner: helm, name: web, status: deployed, version: '4'}}, stringData: {release: AAAA}}")
	refuse("Release Cannot Be Read", "Secret NS/broken (v1) is no release")
	r.As("kubectl").Remove("v1 Secret NS/broken")

	// The user may not read Secrets.
	user := userWithout(r.Workspace, "list")
	r.takes("1", user)
	refuse("Secret objects in namespace NS", "secrets is forbidden", "list")
	// The user may do all but delete them: the objects are applied, and the next apply does the rest.
	secrets := func(verbs string) {
		r.As("kubectl").Apply("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: without-list, namespace: NS}\nrules: [{apiGroups: ['', batch], " +
			"resources: [configmaps, jobs], verbs: [get, list, watch, create, patch, delete]}, {apiGroups: [''], resources: [secrets], verbs: [" + verbs + "]}]\n")
	}
	secrets("get, list")
	refuse("Secret NS/sh.helm.release.v1.web.v1", "delete")
	if len(r.State()) != 1 {
		t.Error("the set is not in the state")
	}
	secrets("get, list, delete")
	r.expectTexts(r.Exits(story.Changes, "plan", "-detailed-exitcode"), "Release Taken Over")
	r.Do("apply", "-auto-approve")
	if !r.Gone("v1 Secret NS/sh.helm.release.v1.web.v1") || !r.Gone("v1 Secret NS/sh.helm.release.v1.web.v2") || !r.Gone("batch/v1 Job NS/once") {
		t.Error("the release is still there, or a hook ran")
	}
	r.Exits(story.Nothing, "plan", "-detailed-exitcode")
}

// An object of other managers is not one of the release, and a release that is not there takes nothing over.
func TestReleaseLacksAnObject(t *testing.T) {
	r := newOfHelm(t, "helm")
	for _, revision := range []string{"1", "2"} {
		r.As("kubectl").Remove("v1 Secret NS/sh.helm.release.v1.web.v" + revision)
	}
	r.takes("1")
	out, err := r.Try("plan")
	if err == nil {
		t.Fatalf("it is not refused:\n%s", out)
	}
	r.expectTexts(out, "Helm has no release web in namespace NS", "Object Already Exists")
	r.StoreRelease("Secret", "web.v3", "deployed", r.Expand(fmt.Sprintf(ofRelease, "b")))
	out, err = r.Try("plan")
	if err == nil {
		t.Fatalf("it is not refused:\n%s", out)
	}
	r.expectTexts(out, "Object Already Exists")
	// A release of another namespace has an object of the same name.
	r.As("kubectl").Remove("v1 Secret NS/sh.helm.release.v1.web.v3")
	r.As("kubectl").CreateUntilEnd("apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-other}\n")
	other := story.In(t, r.Namespace+"-other")
	other.StoreRelease("Secret", "web.v1", "deployed", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")
	r.set("1", fmt.Sprintf("take_over_release = {\n name = \"web\"\n namespace = %q\n}", other.Namespace))
	out, err = r.Try("plan")
	if err == nil {
		t.Fatalf("it is not refused:\n%s", out)
	}
	r.expectTexts(out, "Object Already Exists")
	// What Helm keeps of an uninstalled release is no release.
	other.As("kubectl").Patch("v1 Secret sh.helm.release.v1.web.v1", `{"metadata": {"labels": {"status": "uninstalled"}}}`)
	out, _ = r.Try("plan")
	r.expectTexts(out, "Helm has no release web in namespace "+other.Namespace)
}

// Two sets take over one release: definitions first, for instance. The name of the release is known only in the apply.
func TestReleaseOfTwoSets(t *testing.T) {
	r := newOfHelm(t, "helm")
	set := func(name, more string) string {
		return r.Expand(fmt.Sprintf(`resource "k8sconnect_manifests" %q {
  manifests = { it = %q }
  take_over_release = { name = local.name, namespace = "NS" }
  %s
}
`, name, fmt.Sprintf(ofRelease, name), more))
	}
	b := set("b", "depends_on = [k8sconnect_manifests.a]")
	left := func(objects string) string {
		return "not in this set. They stay on the cluster: " + objects + "CustomResourceDefinition widgets.NS.example.com If no other resource"
	}
	// The plan of the second one knows of the first one. As text, the CLI shows only one of both warnings.
	const known = "locals {\n  name = \"web\"\n}\n"
	r.Configure(known, set("a", ""), b)
	r.expectTexts(strings.ReplaceAll(r.Do("plan", "-json"), `\n`, "\n"), left("ConfigMap NS/b "), left(""))
	// The plan of a set knows of a single object, too.
	r.Configure(known, set("a", "depends_on = [k8sconnect_manifest.b]"), r.Expand(fmt.Sprintf(
		"resource \"k8sconnect_manifest\" \"b\" {\n  manifest = yamldecode(%q)\n  adopt_existing = true\n}\n", fmt.Sprintf(ofRelease, "b"))))
	r.expectTexts(r.Do("plan"), left(""))
	hook := "hooks = { once = <<-EOT\n" + r.Expand(r.hooks["once"]) + "\nEOT\n}\n"
	r.Configure("resource \"terraform_data\" \"name\" {\n  input = \"web\"\n}\n", "locals {\n  name = terraform_data.name.output\n}\n", set("a", hook), b)
	r.Do("apply", "-auto-approve")
	if !r.Gone("v1 Secret NS/sh.helm.release.v1.web.v1") || !r.Gone("v1 Secret NS/sh.helm.release.v1.web.v2") || !r.Gone("batch/v1 Job NS/once") {
		t.Error("the release is still there, or a hook ran")
	}
	r.Exits(story.Nothing, "plan", "-detailed-exitcode")
}

// helm.sh/resource-policy: keep leaves an object on the cluster that leaves its set, unless on_destroy deletes it.
func TestObjectsThatHelmKeeps(t *testing.T) {
	r := newHooked(t)
	const kept = `{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: NS, annotations: {helm.sh/resource-policy: keep}}, data: {a: '1'}}`
	configure := func(arguments string, names ...string) {
		var manifests strings.Builder
		for _, name := range names {
			fmt.Fprintf(&manifests, "    %s = %q\n", name, r.Expand(fmt.Sprintf(kept, name)))
		}
		r.Configure("resource \"k8sconnect_manifests\" \"test\" {\n  manifests = {\n" + manifests.String() + "  }\n" + arguments + "}\n")
	}
	configure("", "a", "b", "c")
	r.Do("apply", "-auto-approve")
	configure("", "b", "c")
	if plan := r.Do("plan"); !strings.Contains(plan, "Objects Released") && !strings.Contains(plan, "Object Released") {
		t.Errorf("the plan does not say that an object stays:\n%s", plan)
	}
	r.Do("apply", "-auto-approve")
	configure("  on_destroy = \"delete\"\n", "c")
	r.Do("apply", "-auto-approve")
	configure("", "c")
	r.Do("apply", "-auto-approve")
	r.Do("destroy", "-auto-approve")
	// A namespace would take along what stays.
	r.Configure(r.Expand("resource \"k8sconnect_manifests\" \"test\" {\n  manifests = {\n    space = \"{apiVersion: v1, kind: Namespace, metadata: {name: NS-inner}}\"\n" +
		"    kept = \"{apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: NS-inner, annotations: {helm.sh/resource-policy: keep}}}\"\n  }\n}\n"))
	r.Do("apply", "-auto-approve")
	if out, err := r.Try("destroy", "-auto-approve"); err == nil || r.Gone("v1 ConfigMap NS-inner/kept") {
		t.Errorf("the namespace is deleted with what stays:\n%s", out)
	}
	r.Configure(r.Expand("resource \"k8sconnect_manifests\" \"test\" {\n  manifests = {\n    space = \"{apiVersion: v1, kind: Namespace, metadata: {name: NS-inner}}\"\n" +
		"    kept = \"{apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: NS-inner}}\"\n  }\n}\n"))
	r.Do("apply", "-auto-approve")
	r.Do("destroy", "-auto-approve")
	for name, isGone := range map[string]bool{"a": false, "b": true, "c": false} {
		if r.Gone("v1 ConfigMap NS/"+name) != isGone {
			t.Errorf("%s: want it gone: %t", name, isGone)
		}
	}
}

// A definition in the crds/ of a subchart, which Helm does not store with its release, comes under management, too.
func TestReleaseWithADefinitionOfASubchart(t *testing.T) {
	r := newOfHelm(t, "helm")
	r.As("helm").CreateUntilEnd(story.WidgetDefinition)
	r.StoreRelease("Secret", "web.v3", "deployed", r.Expand(fmt.Sprintf(ofRelease, "a")))
	const id = "apiextensions.k8s.io/v1 CustomResourceDefinition widgets.NS.example.com"
	before := r.Live(id).GetUID()
	set := func(arguments string) {
		r.Configure("resource \"k8sconnect_manifests\" \"test\" {\n  manifests = {\n    a = <<-EOT\n" + r.Expand(fmt.Sprintf(ofRelease, "a")) + "\nEOT\n    d = <<-EOT\n" +
			r.Expand(story.WidgetDefinition) + "\nEOT\n  }\n" + arguments + "}\n")
	}
	set("")
	if out, err := r.Try("plan"); err == nil || !strings.Contains(out, "widgets."+r.Namespace) {
		t.Errorf("it is adopted without the release:\n%s", out)
	}
	set(r.Expand("  take_over_release = { name = \"web\", namespace = \"NS\" }\n"))
	r.expectTexts(r.Do("apply", "-auto-approve"), "Release Taken Over", "because it belongs to the Helm release in take_over_release")
	if r.Live(id).GetUID() != before {
		t.Error("the definition was made again")
	}
	r.Exits(story.Nothing, "plan", "-detailed-exitcode")
}
