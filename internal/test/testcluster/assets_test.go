package testcluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBuildTakesAssets changes the environment and thus is not parallel.
func TestBuildTakesAssets(t *testing.T) {
	tests := map[string]struct {
		has     []string
		version string
		err     string
	}{
		"what setup-envtest has": {has: []string{"etcd", "kube-apiserver", "kubectl"}, version: "v1.36.1"},
		"all servers":            {has: []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"}, version: "v1.36.1"},
		"etcd alone":             {has: []string{"etcd"}, version: "v1.36.3"},
		"another minor version": {has: []string{"kube-apiserver"}, version: "v1.35.4",
			err: "is Kubernetes v1.35.4, and the other servers are built as v1.36.3: set K8SCONNECT_TEST_KUBERNETES=1.35"},
		"no server": {has: []string{"kubectl"}, err: "has neither etcd nor kube-apiserver"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			cache, dir := t.TempDir(), t.TempDir()
			t.Setenv("XDG_CACHE_HOME", cache)
			t.Setenv("HOME", cache)
			t.Setenv(envAssets, dir)
			for _, name := range tt.has {
				script := fmt.Sprintf("#!/bin/sh\necho 'Kubernetes %s'\n", tt.version)
				if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			kubernetes, err := kubernetesRecipe(mustServersDir(t))
			if err != nil {
				t.Fatal(err)
			}
			recipes := []recipe{kubernetes, etcdRecipe, kwokRecipe}
			found, _ := findAssets(recipes)
			for _, r := range recipes {
				pretendBuilt(t, found.lacks(r))
			}
			binaries, err := Build(t.Context(), nil)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("the error is %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			taken := []string{}
			for _, path := range []string{
				binaries.Etcd, binaries.APIServer, binaries.ControllerManager, binaries.Scheduler, binaries.Kwok,
			} {
				if filepath.Dir(path) == dir {
					taken = append(taken, filepath.Base(path))
				}
			}
			want := tt.has
			if want[len(want)-1] == "kubectl" {
				want = want[:len(want)-1]
			}
			if diff := cmp.Diff(want, taken); diff != "" {
				t.Errorf("taken (-want +got):\n%s", diff)
			}
			if binaries.Version != tt.version {
				t.Errorf("the version is %s, want %s", binaries.Version, tt.version)
			}
		})
	}
}

func mustServersDir(t *testing.T) string {
	t.Helper()
	dir, err := serversDir()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
