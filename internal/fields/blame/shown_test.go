package blame

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// No secret value gets out, neither by data nor by the copies that tools keep of it.
func TestSecretsAreMasked(t *testing.T) {
	t.Parallel()
	const secret = "aHVudGVyMg"
	text := `{apiVersion: v1, kind: Secret, metadata: {name: a, annotations: {` +
		`kubectl.kubernetes.io/last-applied-configuration: "` + secret + `", plain: shown}}, data: {p: ` + secret + `, q: ` + secret + `}, stringData: {p: ` + secret + `}}`
	entries := []metav1.ManagedFieldsEntry{applied("a", `{"f:data":{".":{},"f:p":{}},"f:stringData":{},
		"f:metadata":{"f:annotations":{"f:kubectl.kubernetes.io/last-applied-configuration":{},"f:plain":{}}}}`)}
	live := clustertest.Object(t, text)
	report, err := Read(live, entries, Query{})
	if err != nil {
		t.Fatal(err)
	}
	if all := fmt.Sprint(written(report.Fields), written(report.Unowned), report.AnnotatedYAML); strings.Contains(all, secret) {
		t.Errorf("the secret is in %s", all)
	}
	want := []string{
		"data a", "data.p=(sensitive) a", "metadata.annotations.kubectl.kubernetes.io/last-applied-configuration=(sensitive) a",
		"metadata.annotations.plain=shown a", `stringData={"p":"(sensitive)"} a`,
	}
	if diff := cmp.Diff(want, written(report.Fields)); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(clustertest.Object(t, text), live); diff != "" {
		t.Errorf("the object was mutated:\n%s", diff)
	}
	broken, err := Read(clustertest.Object(t, "{apiVersion: v1, kind: Secret, data: "+secret+"}"), nil, Query{})
	if err != nil || fmt.Sprint(written(broken.Unowned)) != "[data="+rendering.Redacted+"]" {
		t.Errorf("data that is no map: %v, %v", written(broken.Unowned), err)
	}
	other, err := Read(clustertest.Object(t, "{apiVersion: example.com/v1, kind: Secret, data: {p: x}}"), nil, Query{})
	if err != nil || fmt.Sprint(written(other.Unowned)) != "[data.p=x]" {
		t.Errorf("another kind of that name: %v, %v", written(other.Unowned), err)
	}
}
