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

// loud is a secrecy that writes what it shows in capitals.
type loud struct{ seen []map[string]any }

func (l *loud) Show(_ context.Context, remark cluster.Remark) string {
	return strings.ToUpper(remark.Text)
}

func (l *loud) See(_ manifest.Identity, object map[string]any, _ bool) {
	l.seen = append(l.seen, object)
}

// The words of a policy are shown as the operation says. Of a Secret they are withheld where no operation says so.
func TestRemarksInErrors(t *testing.T) {
	t.Parallel()
	const frame = `"x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: `
	refusal := status(
		422,
		metav1.StatusReasonInvalid,
		frame+"it is s",
		&metav1.StatusDetails{Causes: []metav1.StatusCause{{Message: frame + "it is s"}}},
	)
	withheld := "(message withheld: it may contain a value of the Secret). To see it, make the same change with kubectl, or run kubectl get validatingadmissionpolicy p -o yaml"
	secret, settings := manifest.Identity{
		APIVersion: "v1",
		Kind:       "Secret",
		Name:       "x",
	}, manifest.Identity{
		APIVersion: "v1",
		Kind:       "ConfigMap",
		Name:       "x",
	}
	for name, tc := range map[string]struct {
		ctx  context.Context
		id   manifest.Identity
		want string
	}{
		"a Secret":                           {t.Context(), secret, withheld},
		"a Secret whose values are known":    {cluster.WithSecrecy(t.Context(), &loud{}), secret, "IT IS S"},
		"a Secret that a message asks about": {cluster.WithSecrecy(t.Context(), nil), secret, withheld},
		"a ConfigMap":                        {t.Context(), settings, "it is s"},
		"a ConfigMap with sensitive fields":  {cluster.WithSecrecy(t.Context(), &loud{}), settings, "IT IS S"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failed := errorOf(tc.ctx, tc.id, refusal)
			want := []string{frame + tc.want, frame + tc.want}
			if diff := cmp.Diff(want, []string{failed.Message, cluster.CausesOf(failed)[0].Message}); diff != "" {
				t.Errorf("message and cause (-want +got):\n%s", diff)
			}
		})
	}
	warnings := []string{
		"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': it is s",
		"v1 Thing is deprecated in v1.33+",
	}
	want := []string{
		"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': IT IS S",
		"v1 Thing is deprecated in v1.33+",
	}
	if diff := cmp.Diff(want, shownWarnings(cluster.WithSecrecy(t.Context(), &loud{}), secret, warnings)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// An operation sees each version of its object that a request returns, and that the object does not exist.
func TestSecrecySeesObjects(t *testing.T) {
	t.Parallel()
	seen := &loud{}
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
