package kube

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// silent is the secrecy of an object with secret values.
type silent struct{ seen []map[string]any }

func (l *silent) HasSecrets() bool { return true }

func (l *silent) Field(field string, _ bool) string { return strings.ToUpper(field) }

func (l *silent) OwnedField(field string) string { return strings.ToUpper(field) + "!" }

func (l *silent) Show(remark cluster.Remark) string { return remark.Text }

func (l *silent) See(_ manifest.Identity, object map[string]any, _ bool) {
	l.seen = append(l.seen, object)
}

// Of an object with secret values, an error names who refuses it and a command, and none of the words. It still compares
// them.
func TestHiddenWords(t *testing.T) {
	t.Parallel()
	const denied = `"x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: it is s`
	ofPolicy := status(422, metav1.StatusReasonInvalid, denied, &metav1.StatusDetails{Causes: []metav1.StatusCause{{Message: denied}}})
	ofServer := status(422, metav1.StatusReasonInvalid, "data: it is s", &metav1.StatusDetails{
		Causes: []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueInvalid, Field: "data.a", Message: "it is s"}},
	})
	forged := status(500, "", `admission webhook "w" denied the request: failed to convert new object (x) to proper version: unable to convert unstructured object to X: s`, nil)
	secret := manifest.Identity{APIVersion: "v1", Kind: "Secret", Name: "x"}
	settings := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Name: "x"}
	ofOperation := cluster.WithSecrecy(t.Context(), &silent{})
	const note = "Its message is not shown, because the object has secret values. To see it, run "
	for name, tc := range map[string]struct {
		ctx  context.Context
		id   manifest.Identity
		err  error
		want string
	}{
		"a Secret":                     {t.Context(), secret, ofPolicy, "the ValidatingAdmissionPolicy p refuses it. " + note + "kubectl get secret/x"},
		"a field of a Secret":          {t.Context(), secret, ofServer, "the API server refuses it: Invalid, field data.a (Invalid value). " + note + "kubectl get secret/x"},
		"an object without secrets":    {t.Context(), settings, ofServer, "data: it is s"},
		"a sensitive field":            {ofOperation, settings, ofServer, "the API server refuses it: Invalid, field DATA.A (Invalid value). " + note + "kubectl get configmap/x"},
		"an apply":                     {context.WithValue(ofOperation, methodKey{}, "PATCH"), settings, forged, "the admission webhook w refuses it. " + note + "kubectl apply --server-side --dry-run=server -f FILE"},
		"a deletion":                   {context.WithValue(ofOperation, methodKey{}, "DELETE"), settings, ofPolicy, "the ValidatingAdmissionPolicy p refuses it. " + note + "kubectl delete --dry-run=server configmap/x"},
		"an object that is not there":  {ofOperation, settings, status(404, metav1.StatusReasonNotFound, "s", &metav1.StatusDetails{Name: "x"}), "it does not exist"},
		"a right":                      {ofOperation, settings, status(403, metav1.StatusReasonForbidden, `x "x" is forbidden: User "u" cannot get resource "x" in API group "" at the cluster scope: s`, nil), "the user may not get x at the cluster scope"},
		"a field of another manager":   {ofOperation, settings, status(409, metav1.StatusReasonConflict, "s", &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: metav1.CauseTypeFieldManagerConflict, Field: ".a", Message: `conflict with "k"`}}}), `the API server refuses it: Conflict, field A! (conflict with "k"). ` + note + "kubectl get configmap/x"},
		"a conflict that is a webhook": {ofOperation, settings, status(409, metav1.StatusReasonConflict, `admission webhook "w" denied the request: s`, &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: metav1.CauseTypeFieldManagerConflict, Field: ".s", Message: `s`}}}), "the admission webhook w refuses it. " + note + "kubectl get configmap/x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failed := errorOf(tc.ctx, tc.id, tc.err)
			if failed.Message != tc.want {
				t.Errorf("got  %s\nwant %s", failed.Message, tc.want)
			}
			if said := tc.err.Error(); failed.Said() != said {
				t.Errorf("compares %q, want %q", failed.Said(), said)
			}
		})
	}
	warnings := []string{"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': it is s", "v1 Thing is deprecated in v1.33+"}
	want := []string{
		"Validation failed for ValidatingAdmissionPolicy 'p'\n\n" + note + "kubectl apply --server-side --dry-run=server -f FILE", warnings[1],
	}
	if diff := cmp.Diff(want, shownWarnings(ofOperation, settings, warnings)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// A command that reads the object does not show why its log cannot be read.
func TestHiddenWordsOfALog(t *testing.T) {
	t.Parallel()
	client, _ := recordingServer(t, 400, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"BadRequest","message":"s","code":400}`)
	query := cluster.LogQuery{Namespace: "prod", Pod: "web-1", Container: "app", Previous: true}
	_, err := client.Logs(cluster.WithSecrecy(t.Context(), &silent{}), query)
	if want := "To see it, run kubectl logs web-1 -n prod -c app --previous"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}

// An operation sees each version of its object that a request returns, and that the object does not exist.
func TestSecrecySeesObjects(t *testing.T) {
	t.Parallel()
	seen := &silent{}
	client, _ := recordingServer(
		t,
		200,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web:1","namespace":"prod","uid":"u"}}`,
	)
	if _, err := client.Get(cluster.WithSecrecy(t.Context(), seen), pod); err != nil {
		t.Fatal(err)
	}
	client, _ = recordingServer(
		t,
		404,
		`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","details":{"name":"`+pod.Name+`","kind":"pods"},"code":404}`,
	)
	if _, err := client.Get(cluster.WithSecrecy(t.Context(), seen), pod); !cluster.IsGone(err) {
		t.Fatal(err)
	}
	if len(seen.seen) != 2 || seen.seen[0]["kind"] != "Pod" || seen.seen[1] != nil {
		t.Errorf("seen: %v", seen.seen)
	}
}
