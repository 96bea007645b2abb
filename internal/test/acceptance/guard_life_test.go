package acceptance_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A guard does not lock its owner out: it is created, changed and destroyed in one configuration with what it guards,
// and changes, releases, a take-over, another name of our field manager and a destroy pass.
func TestGuardKeepsItsOwner(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	guarding := func(mode string) string {
		return s.Expand(`resource "k8sconnect_manifests" "guard" {
  manifests = provider::k8sconnect::guard({ name = "guard-NS", mode = "` + mode + `", namespaces = ["NS"] })
}
`)
	}
	with := func(data string, arguments ...string) string {
		return s.Manifest("kept", "{apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: NS}, data: {"+data+"}}", arguments...)
	}
	edit := guarded{s}.by("kubectl-edit", nil)
	w.Configure(guarding("warn"), with(`a: "1", b: "1"`))
	w.Do("apply", "-auto-approve")
	passes(t, "an edit that is warned of", edit.merge(keptTarget, `{"data": {"a": "9"}}`))
	w.Configure(guarding("deny"), with(`a: "1", b: "1"`))
	w.Do("apply", "-auto-approve")
	s.Await("the guard denies", func() bool { return edit.merge(keptTarget, `{"data": {"a": "8"}}`, metav1.DryRunAll) != nil })
	refused(t, "an edit", edit.merge(keptTarget, `{"data": {"a": "9"}}`))
	for _, next := range []string{
		with(`a: "2", c: "1"`),
		with(`a: "2", c: "1"`, `ignore_fields = ["data.c"]`),
		with(`a: "2"`, `field_manager = "k8sconnect-renamed"`),
		with(`a: "3"`, `field_manager = "k8sconnect-renamed"`, `take_over_managers = ["kubectl-edit"]`),
	} {
		w.Configure(guarding("deny"), next)
		w.Do("apply", "-auto-approve")
		w.Do("plan", "-detailed-exitcode")
	}
	refused(t, "an edit after all", edit.merge(keptTarget, `{"data": {"a": "9"}}`), `"k8sconnect-renamed" owns: data.a.`)
	w.Do("destroy", "-auto-approve")
	for _, target := range []string{keptTarget, "admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy guard-NS"} {
		if !s.Gone(s.Expand(target)) {
			t.Errorf("%s is there", target)
		}
	}
}
