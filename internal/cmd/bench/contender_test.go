package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestParsePeers(t *testing.T) {
	t.Parallel()
	dir, empty := t.TempDir(), t.TempDir()
	file := filepath.Join(dir, "terraform-provider-kubectl_v3.0.0")
	story.Must(t, os.WriteFile(file, nil, 0o600))
	found, err := parsePeers(t.Context(), "alekc/kubectl="+dir)
	story.Must(t, err)
	if len(found) != 1 || found[0] != (contender{Name: "alekc/kubectl", executable: file}) {
		t.Errorf("found %+v", found)
	}
	for text, want := range map[string]string{
		"alekc/kubectl=" + empty:         "holds 0 files terraform-provider-kubectl*",
		"alekc/kubectl":                  "holds 0 files",
		"k8sconnect=" + dir:              "is not helm, and no NAME=DIR with one of the names alekc/kubectl, hashicorp/kubernetes",
		"gavinbunney/kubectl=" + dir:     "no NAME=DIR",
		"hashicorp/kubernetes=" + dir:    "holds 0 files terraform-provider-kubernetes*",
		"jmorris0x0/k8sconnect=" + empty: "holds 0 files terraform-provider-k8sconnect*",
	} {
		if _, err := parsePeers(t.Context(), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", text, err, want)
		}
	}
}

// Each contender has a configuration that names its provider.
func TestConfigurations(t *testing.T) {
	t.Parallel()
	for _, name := range append([]string{ours, oursAsSet, ours + "@v1.0.0"}, peers...) {
		c := contender{Name: name}
		text, err := c.configuration([]object{{Index: 7}})
		story.Must(t, err)
		for _, want := range []string{`source = "` + c.address() + `"`, `"object-0007"`, "manifests/object-0007.yaml"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: %q is not in\n%s", name, want, text)
			}
		}
	}
}

func TestBefore(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	earlier, err := before(t.Context(), t.TempDir(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if took, err := startup(t.Context(), earlier.executable); err != nil || took <= 0 || earlier.address() != "k8sconnect/k8sconnect" {
		t.Errorf("%+v started in %s: %v", earlier, took, err)
	}
	if _, err := before(t.Context(), t.TempDir(), "no-such-commit"); err == nil || !strings.Contains(err.Error(), "no-such-commit") {
		t.Errorf("a commit that does not exist: %v", err)
	}
}

// The output of kubectl diff has the objects that an apply would create and those that it would change.
func TestKubectlActions(t *testing.T) {
	t.Parallel()
	const printed = `diff -u -N /tmp/LIVE-1/v1.ConfigMap.shop.object-0000 /tmp/MERGED-2/v1.ConfigMap.shop.object-0000
--- /tmp/LIVE-1/v1.ConfigMap.shop.object-0000	2026-11-26 18:00:00.000000000 +0000
+++ /tmp/MERGED-2/v1.ConfigMap.shop.object-0000	2026-11-26 18:00:00.000000000 +0000
@@ -0,0 +1,9 @@
+apiVersion: v1
diff -u -N /tmp/LIVE-1/apps.v1.Deployment.shop.object-0001 /tmp/MERGED-2/apps.v1.Deployment.shop.object-0001
--- /tmp/LIVE-1/apps.v1.Deployment.shop.object-0001	2026-11-26 18:00:00.000000000 +0000
+++ /tmp/MERGED-2/apps.v1.Deployment.shop.object-0001	2026-11-26 18:00:00.000000000 +0000
@@ -5,7 +5,7 @@
-    revision: "1"
`
	found := kubectlActions([]object{{Index: 0}, {Index: 1}, {Index: 2}}, printed)
	for i, want := range []string{creation, update, noOp} {
		if o := (object{Index: i}); found[o.Name()] != want {
			t.Errorf("%s is %q, want %q", o.Name(), found[o.Name()], want)
		}
	}
}
