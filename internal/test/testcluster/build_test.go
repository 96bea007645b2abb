package testcluster

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPrune(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	now := time.Now()
	add := func(dir string, used time.Time, files ...string) {
		path := filepath.Join(cache, dir)
		if err := os.Mkdir(path, 0o750); err != nil {
			t.Fatal(err)
		}
		for _, file := range append(files, "../"+dir+".lock") {
			if err := os.WriteFile(filepath.Join(path, file), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(filepath.Join(path, file), used, used); err != nil {
				t.Fatal(err)
			}
		}
	}
	old, older := now.Add(-keepUnused+time.Hour), now.Add(-keepUnused-time.Hour)
	add("kubernetes-used", older, "kube-apiserver", completeFile)
	add("kubernetes-young", old, "kube-apiserver", completeFile)
	add("kubernetes-unused", older, "kube-apiserver", completeFile)
	add("etcd-building", older, "etcd.1.tmp")
	if err := markUsed(filepath.Join(cache, "kubernetes-used")); err != nil {
		t.Fatal(err)
	}
	if err := prune(cache, now.Add(-keepUnused)); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(cache)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	want := []string{"etcd-building", "etcd-building.lock", "kubernetes-used", "kubernetes-used.lock",
		"kubernetes-young", "kubernetes-young.lock"}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}
}
