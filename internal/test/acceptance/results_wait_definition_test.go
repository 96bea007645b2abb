package acceptance_test

import (
	"strings"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A definition whose kind another one gives up in the same apply becomes ready, and one whose kind another one keeps is
// given up after a time.
func TestWaitForADefinitionWithNamesInUse(t *testing.T) {
	w := story.New(t).HostedWorkspace()
	definition := func(plural string) string {
		return strings.ReplaceAll(customresource.Definition("NS.example.com", "Gizmo", "spec: {type: object}"), "gizmos", plural)
	}
	const held = "NS.example.com/v1 Gizmo NS/held"
	w.Configure(w.Manifest("old", definition("gizmos")))
	w.Do("apply", "-auto-approve")
	w.As("bob").Create("apiVersion: NS.example.com/v1\nkind: Gizmo\nmetadata: {name: held, namespace: NS, finalizers: [example.com/held]}\n")
	w.Configure(w.Manifest("new", definition("gizmoes"), "wait = {}"))
	go func() {
		time.Sleep(5 * time.Second)
		for t.Context().Err() == nil && w.Live(held).GetDeletionTimestamp() == nil {
			time.Sleep(200 * time.Millisecond)
		}
		time.Sleep(5 * time.Second)
		w.As("bob").JSONPatch(held, `[{"op": "remove", "path": "/metadata/finalizers"}]`)
	}()
	w.Do("apply", "-auto-approve")
	w.Configure(w.Manifest("new", definition("gizmoes"), "wait = {}"), w.Manifest("third", definition("gizmoz"), `wait = { conditions = { Established = "True" } }`))
	out := w.Exits(story.Refused, "apply", "-auto-approve")
	if !story.Saying("Object Not Ready", "The API server refuses the names", "is already in use").MatchString(out) {
		t.Errorf("the apply says:\n%s", out)
	}
	w.Do("destroy", "-auto-approve")
}
