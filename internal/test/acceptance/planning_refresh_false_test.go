package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A plan without a refresh goes by a state in which the object is still there: however often it is made, it
// fails, and the error says that it takes a refresh. That plan creates the object again.
func TestPlanWithoutRefreshOfDeletedObject(t *testing.T) {
	t.Parallel()
	blue := strings.Replace(story.ConfigMap, "red", "blue", 1)
	for name, test := range map[string]struct {
		lose func(*story.Workspace)
		seen string
		// after is the action of a plan with a refresh.
		after plancheck.PlanCheck
	}{
		"deleted": {
			lose:  func(w *story.Workspace) { w.As("kubectl").Remove("v1 ConfigMap web") },
			seen:  "no existing object was found",
			after: plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionCreate),
		},
		"deleted and created again": {
			lose: func(w *story.Workspace) {
				w.As("kubectl").Remove("v1 ConfigMap web")
				w.As("kubectl-create").Create(story.ConfigMap)
			},
			seen:  "metadata.uid",
			after: plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
		},
		"deleted with its namespace": {
			lose: func(w *story.Workspace) {
				story.Must(w.T, w.Typed.CoreV1().Namespaces().Delete(w.T.Context(), w.Namespace, metav1.DeleteOptions{}))
				w.Await("the namespace is gone", func() bool { return w.Gone("v1 Namespace NS") })
			},
			seen:  "no existing object was found",
			after: plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionCreate),
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := story.New(t).HostedWorkspace()
			w.Configure(w.Manifest("test", story.ConfigMap))
			w.Do("apply", "-auto-approve")
			test.lose(w)
			w.Configure(w.Manifest("test", blue))
			want := story.Saying("Object Changed Since the Plan", w.Expand("ConfigMap NS/web (v1) could not be planned"), w.Expand(test.seen),
				"It was deleted, or made again, since the state was refreshed. Plan again: a new plan reads it")
			for range 2 {
				if out, err := w.Try("plan", "-refresh=false"); err == nil || !want.MatchString(out) {
					t.Errorf("%v\n%s", err, out)
				}
			}
			w.Do("plan", "-out=refreshed")
			w.ExpectSaved("refreshed", test.after)
		})
	}
}
