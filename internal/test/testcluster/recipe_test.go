package testcluster

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKeyChangesWithEverythingThatIsBuilt(t *testing.T) {
	t.Parallel()
	base := recipe{module: "etcd", programs: []program{{name: "etcd", pkg: "example.com/etcd"}}, ldflags: strippedLDFlags}
	other := base
	other.programs = []program{{name: "etcd", pkg: "example.com/etcd/v2"}}
	stamped := base
	stamped.ldflags = kubernetesLDFlags
	withBundle := base
	withBundle.bundle = kwokRecipe.bundle
	pinned := pins{"go.mod": []byte("module a"), "go.sum": []byte("b")}
	stubbed := pins{"go.mod": []byte("module a"), "go.sum": []byte("b"), "stub/a.go": []byte("package a")}
	const version, tools = "v1.2.3", "go1.26 linux/amd64"

	reference := base.key(pinned, version, tools)
	tests := map[string]struct {
		got  string
		want bool
	}{
		"the same inputs have the same key": {got: base.key(pinned, version, tools), want: true},
		"another go.mod":                    {got: base.key(pins{"go.mod": []byte("module b"), "go.sum": []byte("b")}, version, tools)},
		"another go.sum":                    {got: base.key(pins{"go.mod": []byte("module a"), "go.sum": []byte("c")}, version, tools)},
		"a stub":                            {got: base.key(stubbed, version, tools)},
		"a text that moves from go.mod to go.sum": {
			got: base.key(pins{"go.mod": []byte("module "), "go.sum": []byte("ab")}, version, tools)},
		"another Go version":    {got: base.key(pinned, version, "go1.27 linux/amd64")},
		"another package":       {got: other.key(pinned, version, tools)},
		"other linker flags":    {got: stamped.key(pinned, version, tools)},
		"files that come along": {got: withBundle.key(pinned, version, tools)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if same := tt.got == reference; same != tt.want {
				t.Errorf("key %s, reference %s: same is %t, want %t", tt.got, reference, same, tt.want)
			}
		})
	}
}

func TestVersionIsReadFromThePins(t *testing.T) {
	t.Parallel()
	goMod := `module example.com/servers

require (
	example.com/kube v1.36.3 // indirect
	example.com/kubelet v0.1.0
)

require example.com/kwok v0.8.0

replace example.com/hcl => example.com/fork v9.9.9
`
	tests := map[string]struct {
		path, want, wantErr string
	}{
		"a module in a block":                {path: "example.com/kube", want: "v1.36.3"},
		"a module whose path has a prefix":   {path: "example.com/kubelet", want: "v0.1.0"},
		"a module on a line of its own":      {path: "example.com/kwok", want: "v0.8.0"},
		"a module that is replaced only":     {path: "example.com/hcl", wantErr: "the nested go.mod does not require example.com/hcl"},
		"a module that nothing mentions":     {path: "example.com/none", wantErr: "the nested go.mod does not require example.com/none"},
		"the nested module itself is no pin": {path: "example.com/servers", wantErr: "the nested go.mod does not require example.com/servers"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := pins{"go.mod": []byte(goMod)}.version(tt.path)
			var message string
			if err != nil {
				message = err.Error()
			}
			if diff := cmp.Diff([]string{tt.want, tt.wantErr}, []string{got, message}); diff != "" {
				t.Errorf("version and error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEveryRecipeIsPinned(t *testing.T) {
	t.Parallel()
	servers, err := serversDir()
	if err != nil {
		t.Fatal(err)
	}
	recipes := []recipe{etcdRecipe, kwokRecipe, helmRecipe, kustomizeRecipe, certManagerRecipe, kyvernoRecipe}
	for _, r := range append(recipes, slices.Collect(maps.Values(pinnedCLIs))...) {
		t.Run(r.module+" "+r.path, func(t *testing.T) {
			t.Parallel()
			pinned, err := readPins(filepath.Join(servers, r.module))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := pinned.version(r.path); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestKubernetesVersionIsStamped(t *testing.T) {
	t.Parallel()
	want := "-s -w -X k8s.io/component-base/version.gitVersion=v1.36.3" +
		" -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36"
	if diff := cmp.Diff(want, kubernetesLDFlags("v1.36.3")); diff != "" {
		t.Errorf("linker flags (-want +got):\n%s", diff)
	}
}
