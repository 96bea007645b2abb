package page

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
)

var liveFile = flag.String("live", "", "the file to which TestLive writes its page, for the tests in a browser")

// TestLive makes the page of a survey. internal/test/browser looks at it.
func TestLive(t *testing.T) {
	t.Parallel()
	five := "5"
	var out strings.Builder
	err := Live(&out, []report.Object{
		{Address: "web", Kind: "Deployment", Namespace: "shop", Name: "web", APIVersion: "apps/v1", Action: report.NoOp, Lines: []report.Line{
			{Path: "spec.replicas", Was: &five, OwnersBefore: []string{"kube-controller-manager (scale)", "flux"}}},
			Notes: []report.Note{{Summary: "shared", Detail: "ignore_fields"}}},
		{Address: "calm", Kind: "ConfigMap", Namespace: "shop", Name: "calm", APIVersion: "v1", Action: report.NoOp, Lines: []report.Line{
			{Path: "data.a", OwnersBefore: []string{"flux"}}}},
		{Address: "old", Kind: "ConfigMap", Namespace: "shop", Name: "old", APIVersion: "v1", Action: report.NoOp,
			Notes: []report.Note{{Summary: "unmanaged", Detail: "kubectl apply"}}},
	}, &Survey{
		Groups: []Group{
			{Heading: "Fields of several managers.", Alike: []Alike{{Mend: "ignore_fields", Findings: []Finding{{
				Object: "web", Target: "deployments.apps shop/web", Managers: []string{"flux", "kube-controller-manager"},
				Since: "2026-11-26T09:00:00Z", Fields: []string{"spec.replicas"}, More: 2,
			}}}}},
			{Heading: "Objects without managers.", Alike: []Alike{{Mend: "kubectl apply", Findings: []Finding{
				{Object: "old", Target: "configmaps shop/old"}, {Target: "configmaps shop/a"}, {Target: "configmaps shop/b"}, {Target: "configmaps shop/c"},
			}}}},
		},
		Managers: []Manager{
			{Label: "flux", Operation: "Apply", Kind: "deployments.apps", Objects: 1, Fields: 7, Written: "2026-11-26T09:00:00Z"},
			{Label: "kube-controller-manager (scale)", Operation: "Update", Kind: "deployments.apps", Objects: 1, Fields: 1, About: "an autoscaler"},
		},
		NotSeen: []string{"secrets: forbidden"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"summary":"3 objects, 5 findings."`, "kube-controller-manager (scale)", "kubectl apply", "secrets: forbidden"} {
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

func TestNumbersOfOwners(t *testing.T) {
	t.Parallel()
	one := &Survey{Groups: []Group{{Alike: []Alike{{Findings: []Finding{{}}}}}}}
	for want, of := range map[string]struct {
		n      int
		survey *Survey
	}{
		"1 object.": {1, nil}, "2 objects.": {2, nil}, "1 object, 1 finding.": {1, one}, "0 objects, 0 findings.": {0, &Survey{}},
	} {
		var out strings.Builder
		if err := Live(&out, make([]report.Object, of.n), of.survey); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), `"summary":"`+want+`"`) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
