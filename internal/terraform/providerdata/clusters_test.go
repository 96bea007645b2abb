package providerdata

import (
	"strings"
	"testing"

	"github.com/go-logr/logr/funcr"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/klog/v2"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

// A name chooses one of the provider's clusters, and what is unknown about one says nothing about the others.
func TestClusterNames(t *testing.T) {
	t.Parallel()
	object := connectionType()
	of := func(host string) types.Object {
		return clusterObject(t, values{"host": text(host), "token": text("t"), "namespace": text(host[len("https://"):])})
	}
	half := clusterObject(t, values{"host": types.StringUnknown(), "token": text("t")})
	clusters := types.MapValueMust(object, map[string]attr.Value{
		"prod": of("https://prod"), "staging": of("https://staging"), "new": half, "later": types.ObjectUnknown(object.AttrTypes),
		"wrong": clusterObject(t, values{"host": text("https://h"), "kubeconfig": text("x")}), "null": types.ObjectNull(object.AttrTypes),
	})
	for name, tc := range map[string]struct {
		clusters types.Map
		choice   types.String
		want     Status
		cluster  string
		says     []string
	}{
		"the first one":                 {clusters: clusters, choice: text("prod"), want: Ready, cluster: "prod"},
		"another one":                   {clusters: clusters, choice: text("staging"), want: Ready, cluster: "staging"},
		"no name":                       {clusters: clusters, choice: types.StringNull(), want: Ready, cluster: "default"},
		"an unknown name":               {clusters: clusters, choice: types.StringUnknown(), want: Deferred},
		"one with an unknown host":      {clusters: clusters, choice: text("new"), want: Deferred},
		"one that is unknown":           {clusters: clusters, choice: text("later"), want: Deferred},
		"one of unknown clusters":       {clusters: types.MapUnknown(object), choice: text("prod"), want: Deferred},
		"one with a wrong connection":   {clusters: clusters, choice: text("wrong"), want: Invalid, says: []string{"`clusters[\"wrong\"]."}},
		"one that is null":              {clusters: clusters, choice: text("null"), want: Invalid, says: []string{`There is no cluster "null": ` + "`clusters` of the provider has \"later\", \"new\", \"prod\", \"staging\", \"wrong\"."}},
		"a name with a typing error":    {clusters: clusters, choice: text("stagin"), want: Invalid, says: []string{`Did you mean "staging"?`, `has "later", "new"`}},
		"a name that no provider knows": {clusters: types.MapNull(object), choice: text("prod"), want: Invalid, says: []string{"has no `clusters`", `"prod" = { config_path`, "terraform state rm"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := Settings{Cluster: of("https://default"), Clusters: tc.clusters}
			p, diags := New(t.Context(), kube.NewPool(connect.Options{}), settings, func(string) string { return "" })
			if diags.HasError() {
				t.Fatal(diags)
			}
			if deferred := p.IsDeferred(t.Context(), attributes.Connection{ClusterName: tc.choice}); deferred != (tc.want == Deferred) {
				t.Errorf("deferred: %t", deferred)
			}
			got, status, diags := p.Connect(t.Context(), attributes.Connection{ClusterName: tc.choice})
			if status != tc.want || (got != nil) != (status == Ready) {
				t.Fatalf("want %s, got %s with cluster %v: %v", tc.want, status, got, diags)
			}
			if got != nil && got.DefaultNamespace() != tc.cluster {
				t.Errorf("connected to %s, want %s", got.DefaultNamespace(), tc.cluster)
			}
			if diags.HasError() != (status == Invalid) {
				t.Errorf("%s with %v", status, diags)
			}
			for _, says := range tc.says {
				if !strings.Contains(textOf(diags), says) {
					t.Errorf("%q is missing in %s", says, textOf(diags))
				}
			}
			if !strings.Contains(textOf(diags), "Cluster Not Configured") {
				return
			}
			if _, _, diags := p.Connect(t.Context(), attributes.Connection{ClusterName: tc.choice}); !strings.Contains(textOf(diags), "See the first error about this cluster.") {
				t.Errorf("the second object gets %s", textOf(diags))
			}
		})
	}
}

func textOf(diags diag.Diagnostics) string {
	var text strings.Builder
	for _, d := range diags {
		text.WriteString(d.Summary() + ": " + d.Detail() + "\n")
	}
	return text.String()
}

// Connections with the same address are to the same server, whichever block has them.
func TestSameServerByName(t *testing.T) {
	t.Parallel()
	one := clusterObject(t, values{"host": text("https://one"), "token": text("t")})
	settings := Settings{Clusters: types.MapValueMust(connectionType(), map[string]attr.Value{"one": one})}
	p, _ := New(t.Context(), nil, settings, func(string) string { return "" })
	byName, own := attributes.Connection{ClusterName: text("one")}, attributes.Connection{Cluster: one}
	if !p.SameServer(t.Context(), byName, own) {
		t.Error("a name and its connection are about different servers")
	}
	if p.SameServer(t.Context(), byName, attributes.Connection{ClusterName: text("two")}) {
		t.Error("a name that nobody knows is about the server of another one")
	}
}

// The log names the variables that are set, and no others, once for each connection.
func TestChoiceIsLogged(t *testing.T) {
	t.Parallel()
	env := map[string]string{"KUBE_HOST": "https://one", "KUBE_TOKEN": "hunter2"}
	p, _ := New(t.Context(), kube.NewPool(connect.Options{}), Settings{Cluster: types.ObjectNull(connectionType().AttrTypes)}, func(name string) string { return env[name] })
	var logged []string
	log := funcr.New(func(_, line string) { logged = append(logged, line) }, funcr.Options{Verbosity: cluster.Steps})
	for range 2 {
		if _, status, diags := p.Connect(klog.NewContext(t.Context(), log), attributes.Connection{}); status != Ready {
			t.Fatalf("%s: %v", status, diags)
		}
	}
	want := []string{`"level"=1 "msg"="Cluster https://one with a token, from KUBE_HOST, KUBE_TOKEN of the environment, namespace default (nothing names one)"`}
	if diff := cmp.Diff(want, logged); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}
