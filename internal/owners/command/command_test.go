package command

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/owners"
)

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--help":              "",
		"-o table":            `there is no output "table"`,
		"--quiet-for 90d":     "invalid argument",
		"--none":              "unknown flag: --none",
		"--kubeconfig /none":  "/none",
		"a/b c/d --context x": "",
	} {
		var out, errs strings.Builder
		code := Run(t.Context(), strings.Fields(args), &out, &errs)
		switch {
		case args == "--help" && (code != 0 || !strings.Contains(out.String(), "--context") || !strings.Contains(out.String(), "--quiet-for") || !strings.Contains(out.String(), "Print this help.")):
			t.Errorf("%s: exit code %d: %s", args, code, out.String())
		case args != "--help" && (code != 1 || !strings.HasPrefix(errs.String(), "error: ") || !strings.Contains(errs.String(), want)):
			t.Errorf("%s: exit code %d: %s", args, code, errs.String())
		}
	}
}

// Progress is printed after two seconds, and not before.
func TestProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		p := startProgress(&out)
		p.kinds.Store(60)
		p.done.Store(20)
		p.objects.Store(1500)
		time.Sleep(progressEvery - time.Millisecond)
		synctest.Wait()
		if out.String() != "" {
			t.Errorf("printed too early: %s", out.String())
		}
		time.Sleep(2 * time.Millisecond)
		p.stop()
		p.stop()
		if want := "Reading: 20 of 60 kinds, 1500 objects\n"; out.String() != want {
			t.Errorf("printed is %q, want %q", out.String(), want)
		}
	})
}

// The API server records nobody for a Namespace or a ServiceAccount with nothing but a name: that needs no decision.
func TestObjectsOfANameOnly(t *testing.T) {
	t.Parallel()
	kinds := map[string]kind{
		"Namespace":      {schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}, "Namespace"},
		"ServiceAccount": {schema.GroupVersionResource{Version: "v1", Resource: "serviceaccounts"}, "ServiceAccount"},
		"ConfigMap":      {schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, "ConfigMap"},
	}
	tests := map[string]struct {
		kind string
		metav1.ObjectMeta
		want int
	}{
		"a Namespace":               {"Namespace", metav1.ObjectMeta{Labels: map[string]string{corev1.LabelMetadataName: "x"}}, 0},
		"a Namespace with a label":  {"Namespace", metav1.ObjectMeta{Labels: map[string]string{"team": "a"}}, 1},
		"a ServiceAccount":          {"ServiceAccount", metav1.ObjectMeta{}, 0},
		"one with an annotation":    {"ServiceAccount", metav1.ObjectMeta{Annotations: map[string]string{"role": "a"}}, 1},
		"a ConfigMap may have data": {"ConfigMap", metav1.ObjectMeta{}, 1},
	}
	for name, test := range tests {
		test.Name = "x"
		object, err := objectOf(&metav1.PartialObjectMetadata{ObjectMeta: test.ObjectMeta}, kinds[test.kind])
		if err != nil {
			t.Fatal(err)
		}
		found := owners.Of(owners.Survey{Objects: []owners.Object{object}}).Findings
		if len(found) != test.want {
			t.Errorf("%s: found is %v", name, found)
		}
	}
}
