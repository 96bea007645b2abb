package providerdata

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

// A connection that other users could read causes one warning in a run, however many resources use it. The warning has
// no attribute path for the provider's connection, and has one for a resource's.
func TestExposedConnectionWarnsOnce(t *testing.T) {
	t.Parallel()
	insecure := values{"host": text("https://h"), "token": text("t"), "insecure": types.BoolValue(true)}
	p, diags := New(t.Context(), kube.NewPool(connect.Options{}), Settings{Cluster: clusterObject(t, insecure)}, func(string) string { return "" })
	if diags.HasError() {
		t.Fatal(diags)
	}
	other := values{"host": text("http://h")}
	var got []string
	for _, own := range []types.Object{
		types.ObjectNull(connectionType().AttrTypes), types.ObjectNull(connectionType().AttrTypes), clusterObject(t, other), clusterObject(t, other),
	} {
		_, status, diags := p.Connect(t.Context(), attributes.Connection{Cluster: own})
		if status != Ready {
			t.Fatal(status)
		}
		for _, d := range diags {
			at := "nowhere"
			if placed, is := d.(diag.DiagnosticWithPath); is {
				at = placed.Path().String()
			}
			got = append(got, d.Severity().String()+" at "+at+": "+d.Summary()+": "+d.Detail()[:40])
		}
	}
	want := []string{
		"Warning at nowhere: Exposed Cluster Connection: In the provider's connection, `cluster.i",
		"Warning at cluster.host: Exposed Cluster Connection: `cluster.host` does not start with https",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}
