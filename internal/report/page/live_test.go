package page

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
)

var liveFile = flag.String("live", "", "the file to which TestLive writes its page, for the tests in a browser")

// TestLive makes the page of objects as they are. internal/test/browser looks at it.
func TestLive(t *testing.T) {
	t.Parallel()
	five := "5"
	var out strings.Builder
	err := Live(&out, "2 objects.", []report.Object{
		{Address: "web", Kind: "Deployment", Namespace: "shop", Name: "web", APIVersion: "apps/v1", Action: report.NoOp, Lines: []report.Line{
			{Path: "spec.replicas", Was: &five, OwnersBefore: []string{"kube-controller-manager (scale)", "flux"}}}},
		{Address: "old", Kind: "ConfigMap", Namespace: "shop", Name: "old", APIVersion: "v1", Action: report.NoOp,
			Notes: []report.Note{{Summary: "unmanaged", Detail: "kubectl apply"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2 objects.", "kube-controller-manager (scale)", "kubectl apply"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if *liveFile == "" {
		return
	}
	if err := os.WriteFile(*liveFile, []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
