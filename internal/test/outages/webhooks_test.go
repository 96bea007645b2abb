package outages_test

import (
	"strings"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// asked is a ConfigMap that the webhook is asked about.
const asked = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: asked, namespace: NS}\ndata: {colour: COLOUR}\n"

const askedTarget = "v1 ConfigMap asked"

func colour(name string) string { return strings.ReplaceAll(asked, "COLOUR", name) }

// A webhook that cannot be reached is not there yet: the plan says so and knows no owners, and the apply waits for
// it, whether it creates or updates. What is applied is what was planned once the webhook answers.
func TestWebhookIsNotUpYet(t *testing.T) {
	t.Parallel()
	for _, sideEffects := range []string{"None", "NoneOnDryRun"} {
		t.Run(sideEffects, func(t *testing.T) {
			s := newStage(t)
			w := s.newWebhook()
			w.install(sideEffects, "CREATE", "UPDATE")
			for _, change := range []string{"red", "blue"} {
				s.Configure(s.Manifest("asked", colour(change)))
				text := s.exits(story.Changes, "plan", "-detailed-exitcode", "-out=p")
				s.says(text, "Warning: Webhook Not Reachable Yet: gate.example.com", `cannot reach the admission webhook "gate.example.com" (https://`+w.address+")",
					"The apply waits up to 2m for it", "(known after apply)")
				opened := w.openAfter(20 * time.Second)
				s.exits(story.Nothing, "apply", "p")
				<-opened
				s.settled()
				if got := s.configMaps("asked")["asked"].Data["colour"]; got != change {
					t.Errorf("colour is %q, want %q", got, change)
				}
				w.shut()
			}
			w.open()
			s.exits(story.Nothing, "destroy", "-auto-approve")
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
		s.Configure(s.Manifest("asked", colour(name), `timeouts {
    create = "25s"
    update = "25s"
  }`))
	}
	for _, change := range []string{"red", "blue"} {
		config(change)
		s.exits(story.Changes, "plan", "-detailed-exitcode", "-out=p")
		w.shut()
		text := s.exits(story.Refused, "apply", "p")
		s.says(text, "Error: Webhook Not Reachable", "gate.example.com", "waited 2", "Repair the admission webhook")
		if strings.Contains(text, "inconsistent") {
			t.Error(text)
		}
		opened := w.openAfter(8 * time.Second)
		s.exits(story.Nothing, "apply", "-auto-approve")
		<-opened
		s.settled()
	}
}

// The configuration that installs a webhook needs no second apply, whatever the plan knew of what the webhook
// decides about.
func TestWebhookComesWithTheApply(t *testing.T) {
	s := newStage(t)
	w := s.newWebhook()
	s.Configure(
		// The certificate may hold the letters that Manifest replaces.
		"resource \"k8sconnect_manifest\" \"webhook\" {\n  yaml_body = <<-YAML\n"+w.configuration("None", "CREATE", "UPDATE")+"\nYAML\n}\n",
		s.Manifest("asked", colour("red"), "depends_on = [k8sconnect_manifest.webhook]"),
	)
	opened := w.openAfter(30 * time.Second)
	s.exits(story.Nothing, "apply", "-auto-approve")
	<-opened
	if w.asked.Load() == 0 {
		t.Error("nobody asked the webhook")
	}
	s.settled()
	w.shut()
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// A destroy dry-runs nothing: neither what drifted, nor what was never created.
func TestDestroyWithoutTheWebhook(t *testing.T) {
	s := newStage(t)
	w := s.newWebhook()
	w.open()
	w.install("None", "CREATE", "UPDATE")
	s.Configure(s.Manifest("asked", colour("red")))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.As("somebody").Patch(askedTarget, `{"data":{"colour":"theirs"}}`)
	w.shut()
	s.Configure(s.Manifest("asked", colour("blue")), s.Manifest("more", strings.Replace(colour("red"), "name: asked", "name: asked-too", 1)))
	mark := story.ControlPlane().AuditLog().Mark()
	s.exits(story.Nothing, "destroy", "-auto-approve")
	s.expectNoDryRun(mark)
	if left := len(s.configMaps("asked")); left != 0 {
		t.Errorf("%d objects are left", left)
	}
}

func (s *stage) expectNoDryRun(mark testcluster.Position) {
	s.T.Helper()
	requests, err := story.ControlPlane().AuditLog().Since(mark)
	story.Must(s.T, err)
	for _, request := range requests {
		if request.Namespace == s.Namespace && request.DryRun == testcluster.DryRunAll {
			s.T.Errorf("a dry-run: %s", request)
		}
	}
}

// A webhook that decides about deletions holds them, and the error says the way out.
func TestWebhookHoldsADeletion(t *testing.T) {
	s := newStage(t)
	w := s.newWebhook()
	w.install("None", "DELETE")
	s.Configure(s.Manifest("asked", colour("red")))
	s.exits(story.Nothing, "apply", "-auto-approve")
	text := s.exits(story.Refused, "destroy", "-auto-approve")
	s.says(text, "Error: Webhook Not Reachable", "could not be deleted", "gate.example.com", "delete its configuration first")
	s.As("somebody").Remove(w.target())
	s.Await("the webhook does not count any more", func() bool {
		_, code, err := s.Workdir.Run(t.Context(), "destroy", "-auto-approve")
		return err == nil && code == story.Nothing
	})
}
