package diagnostics_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
)

func TestWithoutDryRun(t *testing.T) {
	t.Parallel()
	warning := changes.WithoutDryRun(12, []*cluster.MissingRightError{
		{Verb: "patch", Resource: "clusterroles.rbac.authorization.k8s.io"},
		{Verb: "create", Resource: "deployments.apps", Namespace: "shop"},
		{Verb: "patch", Resource: "deployments.apps", Namespace: "dev"},
		{Verb: "patch", Resource: "deployments.apps", Namespace: "shop"},
		{Verb: "patch", Resource: "deployments.apps", Namespace: "test"},
	})
	want := `The credentials may not write, and plan_without_dry_run of the provider allows plans without that. So the API server was not asked what the apply makes of 12 objects. The missing rights:

  patch clusterroles.rbac.authorization.k8s.io at the cluster scope
  create deployments.apps in the namespace shop
  patch deployments.apps in the namespaces dev, shop, test

The plan shows the fields that other managers own, and the values that it changes there. It does not show defaults, immutable fields that replace the object, and what validation, policies and webhooks refuse: the apply asks that for each object before it changes it. Computed values are known after the apply.

To see all of it now, plan with credentials that may patch and create. A dry-run changes nothing.`
	if diff := cmp.Diff("Planned Without Dry-Run: 12 objects", warning.Summary()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, warning.Detail()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if one := changes.WithoutDryRun(1, nil).Summary(); one != "Planned Without Dry-Run: 1 object" {
		t.Error(one)
	}
}
