package diagnostics_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/obstacles"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

var web = manifest.Identity{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "default", Name: "web"}

var job = manifest.Identity{APIVersion: "batch/v1", Kind: "Job", Namespace: "shop", Name: "migration"}

var reasons = []cluster.Reason{
	cluster.ReasonKindNotServed, cluster.ReasonNamespaceNotFound, cluster.ReasonNamespaceTerminating, cluster.ReasonNotFound,
	cluster.ReasonConflict, cluster.ReasonFieldManagerConflict, cluster.ReasonInvalid, cluster.ReasonBadRequest, cluster.ReasonForbidden,
	cluster.ReasonUnauthorized, cluster.ReasonCredentials, cluster.ReasonUnreachable, cluster.ReasonTimeout, cluster.ReasonDeletionBlocked,
	cluster.ReasonSchemaMismatch, cluster.ReasonTooLarge, cluster.ReasonWebhookUnreachable, cluster.ReasonExpired, cluster.ReasonServer,
	cluster.ReasonRedirected, cluster.ReasonBusy, cluster.ReasonWrongAnswer, cluster.ReasonNotYetAdmitted,
	cluster.ReasonKindNotManageable, cluster.ReasonUnconvertible, cluster.ReasonAPIUnavailable,
}

// Every reason has a summary, and its detail names the object, what was seen and a next step.
func TestEveryReasonIsASentence(t *testing.T) {
	t.Parallel()
	for _, reason := range reasons {
		t.Run(string(reason), func(t *testing.T) {
			t.Parallel()
			d := manifestWords.Error(diagnostics.Planned, web, &cluster.Error{Reason: reason, Object: web, Message: "what was seen."})
			if d.Summary() == "" || d.Summary() == "Unexpected Error" {
				t.Errorf("summary %q", d.Summary())
			}
			seen, next, _ := strings.Cut(d.Detail(), "\n\n")
			if want := "Deployment default/web (apps/v1) could not be planned: what was seen."; seen != want {
				t.Errorf("got %q, want %q", seen, want)
			}
			if !strings.HasSuffix(next, ".") {
				t.Errorf("no next step in %q", d.Detail())
			}
		})
	}
}

// The plan of an apply waits, and an error says that the apply has failed.
func TestWaitOfAnApply(t *testing.T) {
	t.Parallel()
	d := manifestWords.Error(diagnostics.Planned, web, &run.StillMissingError{Waited: 2 * time.Minute, Last: &cluster.Error{
		Reason: cluster.ReasonWebhookUnreachable, Object: web, Message: "no answer",
	}})
	if want := "Deployment default/web (apps/v1) could not be applied: no answer; waited 2m0s for it.\n\n"; !strings.HasPrefix(d.Detail(), want) {
		t.Errorf("the error is %q", d.Detail())
	}
}

// The list of reasons has all of them.
func TestReasonsAreAll(t *testing.T) {
	t.Parallel()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "cluster", "errors.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(node ast.Node) bool {
		constant, is := node.(*ast.ValueSpec)
		if !is || len(constant.Values) == 0 {
			return true
		}
		if literal, is := constant.Values[0].(*ast.BasicLit); is && !slices.Contains(reasons, cluster.Reason(strings.Trim(literal.Value, `"`))) {
			t.Errorf("%s is missing", constant.Names[0].Name)
		}
		return true
	})
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"an object that exists comes with the import block": {
			err: &run.AlreadyExistsError{Object: web},
			want: "Object Already Exists\nDeployment default/web (apps/v1) exists on the cluster and is not in this state, so it was not touched.\n\n" +
				"To manage it here, import it; the next plan then shows who owns its fields now and what would change:\n\n" +
				"import {\n  to = k8sconnect_manifest.NAME\n  id = \"apiVersion=apps/v1,kind=Deployment,namespace=default,name=web\"\n}\n\nOr set adopt_existing = true, and the apply adopts it.",
		},
		"an object that came after the plan comes with its managers": {
			err: &run.AlreadyExistsError{Object: web, Since: true, Managers: []string{"bob", "helm"}},
			want: "Object Already Exists\nDeployment default/web (apps/v1) exists on the cluster and is not in this state, so it was not touched. " +
				"Another client created it after the plan. Its field managers: \"bob\" and \"helm\".\n\n" +
				"To manage it here, import it; the next plan then shows who owns its fields now and what would change:\n\n" +
				"import {\n  to = k8sconnect_manifest.NAME\n  id = \"apiVersion=apps/v1,kind=Deployment,namespace=default,name=web\"\n}\n\nOr set adopt_existing = true, and the apply adopts it.",
		},
		"an object that was recreated is not replaced": {
			err: recreated,
			want: "Object Was Recreated\nDeployment default/web (apps/v1) is another object than the one of the last apply, which was deleted: its uid was 1-2-3 and is now 4-5-6. " +
				"This resource owns nothing of it; its field managers are \"bob\" and \"kubectl-create\". So the provider refused to replace it, as a taint or -replace requests.\n\n" +
				"To keep the object, remove the resource from the state. The first command prints its address, and those of others with this ID:\n\n" +
				"  terraform state list -id='apiVersion=apps/v1,kind=Deployment,namespace=default,name=web'\n  terraform state rm 'ADDRESS'\n\n" +
				"To replace the object, apply the resource without this change first: the apply takes the object over, and its plan shows what that changes.",
		},
		"a path inside of an atomic field comes with the field to ignore": {
			err: &wanted.NotIgnorableError{Pattern: "spec.selector.matchLabels", Whole: "spec.selector", Why: projection.Atomic},
			want: "Field Cannot Be Ignored Alone\nDeployment default/web (apps/v1): ignore_fields contains \"spec.selector.matchLabels\", but " +
				"spec.selector is atomic: the API server gives it one owner as a whole.\n\nIgnore all of it instead:\n\n" +
				"  ignore_fields = [\"spec.selector\"]",
		},
		"a dependency that never came says how long it was waited for": {
			err: &run.StillMissingError{Waited: 3 * time.Second, Last: &cluster.Error{
				Reason: cluster.ReasonNamespaceNotFound, Object: web, Message: `namespaces "default" not found`,
			}},
			want: "Dependency Still Missing\nDeployment default/web (apps/v1) could not be created: " +
				"namespaces \"default\" not found; waited 3s for it.\n\n" +
				"Create it first: name the resource that creates it in depends_on, or raise timeouts.create.",
		},
		"a kind that is not served comes with the nearest": {
			err: &cluster.Error{
				Reason: cluster.ReasonKindNotServed, Object: web, Message: "the cluster does not serve it",
				Details: &cluster.KindNotServedError{Nearest: []string{"apps/v1 Deployment"}},
			},
			want: "Kind Not Served\nDeployment default/web (apps/v1) could not be created: the cluster does not serve it.\n\n" +
				"The nearest kind that the cluster serves is apps/v1 Deployment. " +
				"Correct apiVersion and kind, or install the CustomResourceDefinition first.",
		},
		"a kind that an older Kubernetes lacks": {
			err: &cluster.Error{
				Reason: cluster.ReasonKindNotServed, Message: "the cluster does not serve it",
				Object:  manifest.Identity{APIVersion: "admissionregistration.k8s.io/v1", Kind: "ValidatingAdmissionPolicy", Name: "guard"},
				Details: &cluster.KindNotServedError{BuiltinGroup: true},
			},
			want: "Kind Not Served\nValidatingAdmissionPolicy guard (admissionregistration.k8s.io/v1) could not be created: the cluster does not serve it.\n\n" +
				"Correct apiVersion and kind, or upgrade the cluster: Kubernetes has the kind since 1.30.",
		},
		"a value on the cluster that is older than the schema": {
			err: mismatch(cluster.SchemaMismatchError{Field: "spec.f", Problem: "expected map", Of: cluster.MismatchInObject}),
			want: "Value Does Not Fit Schema\nDeployment default/web (apps/v1) could not be created: spec.f: expected map.\n\n" +
				"The schema of the kind has changed, and the value of spec.f on the cluster does not fit it any more, so the API server " +
				"refuses every server-side apply to the object. Repair spec.f with kubectl edit. To delete the object and create a " +
				"new one, run terraform taint with the address of the resource, then apply.",
		},
		"values on the cluster that are older than the schema": {
			err: mismatch(cluster.SchemaMismatchError{
				Field: "spec.f", Problem: "expected map", Of: cluster.MismatchInObject,
				More: []cluster.FieldProblem{{Field: "spec.g", Problem: "expected numeric"}},
			}),
			want: "Value Does Not Fit Schema\nDeployment default/web (apps/v1) could not be created: these values do not fit the " +
				"schema of the kind:\n\n  spec.f: expected map\n  spec.g: expected numeric.\n\n" +
				"The schema of the kind has changed, and the values on the cluster do not fit it any more, so the API server " +
				"refuses every server-side apply to the object. Repair them with kubectl edit. To delete the object and create a " +
				"new one, run terraform taint with the address of the resource, then apply.",
		},
		"fields that the schema lacks, before the schema is published": {
			err: mismatch(cluster.SchemaMismatchError{
				Field: "spec.f", Problem: "field not declared in schema", Of: cluster.MismatchInManifest,
				More: []cluster.FieldProblem{{Field: "spec.g", Problem: "field not declared in schema"}},
			}),
			want: "Unknown Field\nDeployment default/web (apps/v1) could not be created: its kind has no such fields:\n\n" +
				"  spec.f\n  spec.g.\n\n" +
				"Correct them in yaml_body; kubectl explain deployment --api-version=apps/v1 lists the fields of the kind.",
		},
		"a field that the schema lacks, before the schema is published": {
			err: mismatch(cluster.SchemaMismatchError{Field: "spec.f", Problem: "field not declared in schema", Of: cluster.MismatchInManifest}),
			want: "Unknown Field\nDeployment default/web (apps/v1) could not be created: its kind has no field spec.f.\n\n" +
				"Correct it in yaml_body. There may be more unknown fields: the API server names only one, and the provider could not " +
				"read the schema to list them all. If the CustomResourceDefinition is new, the API server publishes its schema within " +
				"seconds; then plan again to see all fields.",
		},
		"a rule of a definition": {
			err: &cluster.Error{
				Reason: cluster.ReasonInvalid, Object: web, Message: "spec: Invalid value: 3: stay",
				Details: &cluster.InvalidError{Rules: []cluster.BrokenRule{{Field: "spec", Rule: "self == oldSelf"}}},
			},
			want: "Invalid Object\nDeployment default/web (apps/v1) could not be created: spec: Invalid value: 3: stay.\n\n" +
				"The object breaks a validation rule of its CustomResourceDefinition:\n\n  spec: self == oldSelf\n\n" +
				"Change yaml_body to follow the rule, or ask the owner of the definition. " +
				"oldSelf is the object on the cluster. To delete the object and create a new one, run terraform taint with the " +
				"address of the resource, then apply. The option -replace tries the change first.",
		},
		"a set of objects": {
			err: mismatch(cluster.SchemaMismatchError{
				Field: "spec.f", Problem: "associative list without keys has an element that's a map type", Of: cluster.MismatchInManifest,
			}),
			want: "Value Does Not Fit Schema\nDeployment default/web (apps/v1) could not be created: spec.f: associative list without " +
				"keys has an element that's a map type.\n\nThe value of spec.f in yaml_body does not fit the schema of the kind. Correct it. " +
				"If spec.f holds objects, its CustomResourceDefinition must not declare a set: server-side apply accepts " +
				"objects only in lists of the type map or atomic.",
		},
		"half an item": {
			err: &obstacles.HalfRemovedError{
				RefusedError: obstacles.RefusedError{Refusal: failing(cluster.ReasonInvalid, "image: Required value")},
				Fields:       []string{`spec.containers[name="log"]`, "spec.probe"},
				Parts: []ownership.Change{
					{Field: `spec.containers[name="log"].args`, Owners: []ownership.Holder{holder("tuner", "Update", "", 0)}},
					{Field: "spec.probe.path", Owners: []ownership.Holder{holder("kubectl-edit", "Update", "", 0)}},
				},
				TakeOver: []string{"tuner", "kubectl-edit"},
			},
			want: "Field Cannot Be Removed\nDeployment default/web (apps/v1) could not be created: image: Required value.\n\n" +
				"yaml_body no longer has spec.containers[name=\"log\"] and spec.probe, but they stay on the object without your fields, because " +
				"others own fields in them:\n\n" +
				"  spec.containers[name=\"log\"].args, owned by \"tuner\" using apps/v1\n" +
				"  spec.probe.path, owned by \"kubectl-edit\" using apps/v1 (kubectl edit)\n\n" +
				"Keep them in yaml_body, or have these managers give up their fields.\n\n" +
				"Or take over the fields that they own, so that the apply removes them too:\n\n  take_over_managers = [\"tuner\", \"kubectl-edit\"]",
		},
		"anything else is a bug": {
			err: errors.New("odd"),
			want: "Unexpected Error\nDeployment default/web (apps/v1) could not be created: odd.\n\n" +
				"This is a bug in the provider. Please report it.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := manifestWords.Error(diagnostics.Created, web, test.err)
			if diff := cmp.Diff(test.want, d.Summary()+"\n"+d.Detail()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func mismatch(details cluster.SchemaMismatchError) *cluster.Error {
	return &cluster.Error{Reason: cluster.ReasonSchemaMismatch, Object: web, Message: "failed to create typed object", Details: &details}
}
