package wanted

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// undecidedDeployment is a Deployment, and what a plan knows of its fields.
func undecidedDeployment(t *testing.T, ignore ...string) (Wanted, *paths.Set) {
	t.Helper()
	m, err := manifest.Parse(`apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {a: "1"}}
spec:
  replicas: 1
  minReadySeconds: 1
  template: {spec: {containers: [{name: app, image: "1000", args: [a, "1000"]}]}}
`)
	if err != nil {
		t.Fatal(err)
	}
	container := paths.Path{paths.Field("spec"), paths.Field("template"), paths.Field("spec"), paths.Field("containers"), paths.Key(map[string]any{"name": "app"})}
	return Wanted{Arguments: arguments.Arguments{Manifest: m, Ignore: paths.PatternsOf(ignore)}}, paths.NewSet(
		paths.Path{paths.Field("metadata"), paths.Field("labels"), paths.Field("a")},
		paths.Path{paths.Field("spec"), paths.Field("replicas")}, paths.Path{paths.Field("spec"), paths.Field("minReadySeconds")},
		paths.Below(container, paths.Field("name")), paths.Below(container, paths.Field("image")), paths.Below(container, paths.Field("args")),
	)
}

func TestUndecidedFields(t *testing.T) {
	t.Parallel()
	container := paths.Path{paths.Field("spec"), paths.Field("template"), paths.Field("spec"), paths.Field("containers"), paths.Index(0)}
	for name, tt := range map[string]struct {
		undecided arguments.Undecided
		ignore    []string
		want      string
		keys      bool
	}{
		"a value":                         {arguments.Undecided{At: paths.Below(container, paths.Field("image"))}, nil, `spec.template.spec.containers[name="app"].image`, false},
		"an item of a list with an owner": {arguments.Undecided{At: append(paths.Below(container, paths.Field("args")), paths.Index(1))}, nil, `spec.template.spec.containers[name="app"].args`, false},
		"a key":                           {arguments.Undecided{At: paths.Below(container, paths.Field("name"))}, nil, "", true},
		"a number that may be 0":          {arguments.Undecided{At: paths.Path{paths.Field("spec"), paths.Field("replicas")}}, nil, "spec.replicas", false},
		"a number that 0 removes":         {arguments.Undecided{At: paths.Path{paths.Field("spec"), paths.Field("minReadySeconds")}}, nil, "", true},
		"an ignored value":                {arguments.Undecided{At: paths.Path{paths.Field("spec"), paths.Field("replicas")}}, []string{"spec.replicas"}, "", false},
		"labels":                          {arguments.Undecided{At: paths.Path{paths.Field("metadata"), paths.Field("labels")}, IsOpen: true}, nil, "", true},
		"what the server does not have":   {arguments.Undecided{At: paths.Path{paths.Field("spec"), paths.Field("other")}}, nil, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			intent, fields := undecidedDeployment(t, tt.ignore...)
			intent.Undecided = []arguments.Undecided{tt.undecided}
			undecided, keys := intent.UndecidedFields(fields)
			got := ""
			paths.Walk(undecided, func(path paths.Path, _ bool) { got += paths.Format(path) })
			if got != tt.want || keys != tt.keys {
				t.Errorf("undecided are %q, keys %t; want %q, %t", got, keys, tt.want, tt.keys)
			}
		})
	}
}

// A plan tries the values of the last apply where there are any.
func TestStandIn(t *testing.T) {
	t.Parallel()
	intent, fields := undecidedDeployment(t)
	prior := record.Prior{Arguments: arguments.Arguments{Manifest: clustertest.Parsed(t, `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {a: "1"}}
spec: {replicas: 7, template: {spec: {containers: [{name: other, image: old}, {name: app, image: "nginx:1"}]}}}`)}}
	prior.Snapshot.Claims = ownership.Claims{{Manager: ownership.Manager{Name: "k8sconnect"}, Fields: fields}}
	image := paths.Path{paths.Field("spec"), paths.Field("template"), paths.Field("spec"), paths.Field("containers"), paths.Index(0), paths.Field("image")}
	intent.Undecided = []arguments.Undecided{{At: paths.Path{paths.Field("spec"), paths.Field("replicas")}}, {At: image}}
	intent.Prior = prior
	got := standIn(intent)
	spec, _ := got.Manifest.Object["spec"].(map[string]any)
	want := map[string]any{"replicas": int64(7), "minReadySeconds": int64(1), "template": map[string]any{"spec": map[string]any{"containers": []any{
		map[string]any{"name": "app", "image": "nginx:1", "args": []any{"a", "1000"}},
	}}}}
	if diff := cmp.Diff(want, spec); diff != "" || got.HasStandIns {
		t.Errorf("guesses %t, the spec (-want +got):\n%s", got.HasStandIns, diff)
	}
	intent.Undecided = append(intent.Undecided, arguments.Undecided{At: paths.Path{paths.Field("spec"), paths.Field("minReadySeconds")}})
	if !standIn(intent).HasStandIns {
		t.Error("a value that the object never had is no guess")
	}
	if !PendingAnyway(intent.Arguments, prior) {
		t.Error("a new field need not be applied")
	}
}
