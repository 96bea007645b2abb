package intents

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// undecidedDeployment is a Deployment, and what a plan knows of its fields.
func undecidedDeployment(t *testing.T, ignore ...string) (Intent, *paths.Set) {
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
	return Intent{Manifest: m, Ignore: record.PatternsOf(ignore)}, paths.NewSet(
		paths.Path{paths.Field("metadata"), paths.Field("labels"), paths.Field("a")},
		paths.Path{paths.Field("spec"), paths.Field("replicas")}, paths.Path{paths.Field("spec"), paths.Field("minReadySeconds")},
		paths.Below(container, paths.Field("name")), paths.Below(container, paths.Field("image")), paths.Below(container, paths.Field("args")),
	)
}

func TestUndecidedFields(t *testing.T) {
	t.Parallel()
	container := paths.Path{paths.Field("spec"), paths.Field("template"), paths.Field("spec"), paths.Field("containers"), paths.Index(0)}
	for name, tt := range map[string]struct {
		undecided Undecided
		ignore    []string
		want      string
		keys      bool
	}{
		"a value":                         {Undecided{At: paths.Below(container, paths.Field("image"))}, nil, `spec.template.spec.containers[name="app"].image`, false},
		"an item of a list with an owner": {Undecided{At: append(paths.Below(container, paths.Field("args")), paths.Index(1))}, nil, `spec.template.spec.containers[name="app"].args`, false},
		"a key":                           {Undecided{At: paths.Below(container, paths.Field("name"))}, nil, "", true},
		"a number that may be 0":          {Undecided{At: paths.Path{paths.Field("spec"), paths.Field("replicas")}}, nil, "spec.replicas", false},
		"a number that 0 removes":         {Undecided{At: paths.Path{paths.Field("spec"), paths.Field("minReadySeconds")}}, nil, "", true},
		"an ignored value":                {Undecided{At: paths.Path{paths.Field("spec"), paths.Field("replicas")}}, []string{"spec.replicas"}, "", false},
		"labels":                          {Undecided{At: paths.Path{paths.Field("metadata"), paths.Field("labels")}, IsOpen: true}, nil, "", true},
		"what the server does not have":   {Undecided{At: paths.Path{paths.Field("spec"), paths.Field("other")}}, nil, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			intent, fields := undecidedDeployment(t, tt.ignore...)
			intent.Undecided = []Undecided{tt.undecided}
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
func TestWithStandIns(t *testing.T) {
	t.Parallel()
	intent, fields := undecidedDeployment(t)
	prior := record.Prior{Settings: record.Settings{Body: `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {a: "1"}}
spec: {replicas: 7, template: {spec: {containers: [{name: other, image: old}, {name: app, image: "nginx:1"}]}}}`}}
	prior.Snapshot.Claims = ownership.Claims{{Manager: ownership.Manager{Name: "k8sconnect"}, Fields: fields}}
	image := paths.Path{paths.Field("spec"), paths.Field("template"), paths.Field("spec"), paths.Field("containers"), paths.Index(0), paths.Field("image")}
	intent.Undecided = []Undecided{{At: paths.Path{paths.Field("spec"), paths.Field("replicas")}}, {At: image}}
	got, guesses := intent.WithStandIns(prior)
	spec, _ := got.Manifest.Object["spec"].(map[string]any)
	want := map[string]any{"replicas": int64(7), "minReadySeconds": int64(1), "template": map[string]any{"spec": map[string]any{"containers": []any{
		map[string]any{"name": "app", "image": "nginx:1", "args": []any{"a", "1000"}},
	}}}}
	if diff := cmp.Diff(want, spec); diff != "" || guesses {
		t.Errorf("guesses %t, the spec (-want +got):\n%s", guesses, diff)
	}
	intent.Undecided = append(intent.Undecided, Undecided{At: paths.Path{paths.Field("spec"), paths.Field("minReadySeconds")}})
	if _, guesses := intent.WithStandIns(prior); !guesses {
		t.Error("a value that the object never had is no guess")
	}
	if !PendingAnyway(intent, prior) {
		t.Error("a new field need not be applied")
	}
}
func TestUndecidedOf(t *testing.T) {
	t.Parallel()
	at := paths.Path{paths.Field("stringData"), paths.Field("a")}
	for kind, want := range map[string]string{"Secret": "data.a", "ConfigMap": "stringData.a"} {
		got := UndecidedOf(manifest.Identity{APIVersion: "v1", Kind: kind}, []Undecided{{At: at}})
		if text := paths.Format(got[0].At); text != want {
			t.Errorf("%s: %s, want %s", kind, text, want)
		}
	}
	if paths.Format(at) != "stringData.a" {
		t.Errorf("the path was mutated to %s", paths.Format(at))
	}
}

func TestNamesObject(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		at   paths.Path
		want bool
	}{
		{nil, true}, {paths.Path{paths.Field("kind")}, true}, {paths.Path{paths.Field("metadata"), paths.Field("name")}, true},
		{paths.Path{paths.Field("metadata"), paths.Field("labels")}, false}, {paths.Path{paths.Field("spec"), paths.Field("name")}, false},
	} {
		if got := (Undecided{At: tt.at}).NamesObject(); got != tt.want {
			t.Errorf("%q: %t, want %t", paths.Format(tt.at), got, tt.want)
		}
	}
}
