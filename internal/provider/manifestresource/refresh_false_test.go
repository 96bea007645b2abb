package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A plan without a refresh goes by a state in which the object is still there: however often it is made, it
// fails, and the error says that it takes a refresh. That plan creates the object again.
func TestPlanWithoutRefreshOfDeletedObject(t *testing.T) {
	blue := strings.Replace(configMap, "red", "blue", 1)
	for name, test := range map[string]struct {
		lose func(*workspace)
		seen string
		// after is the action of a plan with a refresh.
		after plancheck.PlanCheck
	}{
		"deleted": {
			lose:  func(w *workspace) { w.as("kubectl").remove("v1 ConfigMap web") },
			seen:  "no existing object was found",
			after: plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate),
		},
		"deleted and created again": {
			lose: func(w *workspace) {
				w.as("kubectl").remove("v1 ConfigMap web")
				w.as("kubectl-create").create(configMap)
			},
			seen:  "metadata.uid",
			after: plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
		},
		"deleted with its namespace": {
			lose: func(w *workspace) {
				must(w.t, w.typed.CoreV1().Namespaces().Delete(w.t.Context(), w.namespace, metav1.DeleteOptions{}))
				must(w.t, eventually("the namespace is gone", func() bool { return w.gone("v1 Namespace NS") })(nil))
			},
			seen:  "no existing object was found",
			after: plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate),
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newStory(t).workspace()
			w.configure(w.manifest("test", configMap))
			w.do("apply", "-auto-approve")
			test.lose(w)
			w.configure(w.manifest("test", blue))
			want := saying("Object Changed Meanwhile", w.expand("ConfigMap NS/web (v1) could not be planned"), w.expand(test.seen),
				"Plan again, and not with -refresh=false: only a refresh sees what became of the object.")
			for range 2 {
				if out, err := w.try("plan", "-refresh=false"); err == nil || !want.MatchString(out) {
					t.Errorf("%v\n%s", err, out)
				}
			}
			w.do("plan", "-out=refreshed")
			w.expectSaved("refreshed", test.after)
		})
	}
}
