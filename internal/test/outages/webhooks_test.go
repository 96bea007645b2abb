package outages_test

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

var (
	webhooks           = schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingwebhookconfigurations"}
	configMapsResource = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
)

func (s *stage) parse(text string) *unstructured.Unstructured {
	s.Helper()
	object := &unstructured.Unstructured{}
	must(s.T, yaml.Unmarshal([]byte(text), &object.Object))
	return object
}

// asked is a ConfigMap that the webhook is asked about.
const asked = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: asked, namespace: NS}\ndata: {colour: COLOUR}\n"

func colour(name string) string { return strings.ReplaceAll(asked, "COLOUR", name) }

// A webhook that cannot be reached is not there yet: the plan says so and knows no owners, and the apply waits for
// it, whether it creates or updates. What is applied is what was planned once the webhook answers.
func TestWebhookIsNotUpYet(t *testing.T) {
	for _, sideEffects := range []string{"None", "NoneOnDryRun"} {
		t.Run(sideEffects, func(t *testing.T) {
			s := newStage(t)
			w := s.newWebhook()
			w.install(sideEffects, "CREATE", "UPDATE")
			for _, change := range []string{"red", "blue"} {
				s.configure(s.manifest("asked", colour(change)))
				text := s.exits(changes, "plan", "-detailed-exitcode", "-out=p")
				s.says(text, "Warning: Webhook Not Reachable Yet: gate.example.com", `cannot reach the admission webhook "gate.example.com" (https://`+w.address+")",
					"The apply waits up to 2m for it", "(known after apply)")
				opened := w.openAfter(20 * time.Second)
				s.exits(nothing, "apply", "p")
				<-opened
				s.settled()
				if got := s.configMaps("asked")["asked"].Data["colour"]; got != change {
					t.Errorf("colour is %q, want %q", got, change)
				}
				w.shut()
			}
			w.open()
			s.exits(nothing, "destroy", "-auto-approve")
		})
	}
}

// What the first plan knew must not become unknown in the second: where the webhook has gone away in between, the
// apply waits for it, and ends with a sentence about it and not in an inconsistent plan.
func TestWebhookGoesBetweenPlanAndApply(t *testing.T) {
	s := newStage(t)
	w := s.newWebhook()
	w.open()
	w.install("None", "CREATE", "UPDATE")
	config := func(name string) {
		s.configure(s.manifest("asked", colour(name), `timeouts {
    create = "25s"
    update = "25s"
  }`))
	}
	for _, change := range []string{"red", "blue"} {
		config(change)
		s.exits(changes, "plan", "-detailed-exitcode", "-out=p")
		w.shut()
		text := s.exits(refused, "apply", "p")
		s.says(text, "Error: Webhook Not Reachable", "gate.example.com", "waited 2", "Repair the admission webhook")
		if strings.Contains(text, "inconsistent") {
			t.Error(text)
		}
		opened := w.openAfter(18 * time.Second)
		s.exits(nothing, "apply", "-auto-approve")
		<-opened
		s.settled()
	}
}

// The configuration that installs a webhook needs no second apply, whatever the plan knew of what the webhook
// decides about.
func TestWebhookComesWithTheApply(t *testing.T) {
	s := newStage(t)
	w := s.newWebhook()
	s.configure(
		// The certificate may hold the letters that manifest replaces.
		"resource \"k8sconnect_manifest\" \"webhook\" {\n  yaml_body = <<-YAML\n"+w.configuration("None", "CREATE", "UPDATE")+"\nYAML\n}\n",
		s.manifest("asked", colour("red"), "depends_on = [k8sconnect_manifest.webhook]"),
	)
	opened := w.openAfter(30 * time.Second)
	s.exits(nothing, "apply", "-auto-approve")
	<-opened
	if w.asked.Load() == 0 {
		t.Error("nobody asked the webhook")
	}
	s.settled()
	w.shut()
	s.exits(nothing, "destroy", "-auto-approve")
}

// A destroy dry-runs nothing: neither what drifted, nor what was never created.
func TestDestroyWithoutTheWebhook(t *testing.T) {
	s := newStage(t)
	w := s.newWebhook()
	w.open()
	w.install("None", "CREATE", "UPDATE")
	s.configure(s.manifest("asked", colour("red")))
	s.exits(nothing, "apply", "-auto-approve")
	live := s.configMaps("asked")["asked"]
	live.Data["colour"] = "theirs"
	_, err := s.typed.CoreV1().ConfigMaps(s.namespace).Update(t.Context(), &live, metav1.UpdateOptions{FieldManager: "somebody"})
	must(t, err)
	w.shut()
	s.configure(s.manifest("asked", colour("blue")), s.manifest("more", strings.Replace(colour("red"), "name: asked", "name: asked-too", 1)))
	mark := controlPlane.AuditLog().Mark()
	s.exits(nothing, "destroy", "-auto-approve")
	s.expectNoDryRun(mark)
	if left := len(s.configMaps("asked")); left != 0 {
		t.Errorf("%d objects are left", left)
	}
}

func (s *stage) expectNoDryRun(mark testcluster.Position) {
	s.Helper()
	requests, err := controlPlane.AuditLog().Since(mark)
	must(s.T, err)
	for _, request := range requests {
		if request.Namespace == s.namespace && request.DryRun == testcluster.DryRunAll {
			s.Errorf("a dry-run: %s", request)
		}
	}
}

// A webhook that decides about deletions holds them, and the error says the way out.
func TestWebhookHoldsADeletion(t *testing.T) {
	s := newStage(t)
	w := s.newWebhook()
	w.install("None", "DELETE")
	s.configure(s.manifest("asked", colour("red")))
	s.exits(nothing, "apply", "-auto-approve")
	text := s.exits(refused, "destroy", "-auto-approve")
	s.says(text, "Error: Webhook Not Reachable", "could not be deleted", "gate.example.com", "delete its configuration first")
	must(t, s.dynamic.Resource(webhooks).Delete(t.Context(), "gate."+s.namespace, metav1.DeleteOptions{}))
	s.await("the webhook does not count any more", func() bool {
		_, code, err := s.tf.Run(t.Context(), "destroy", "-auto-approve")
		return err == nil && code == nothing
	})
}
