package owners

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

func claim(t testing.TB, name string, operation metav1.ManagedFieldsOperationType, at int, fields string) ownership.Claim {
	t.Helper()
	set, err := paths.ParseSet([]byte(fields))
	if err != nil {
		t.Fatal(err)
	}
	read := ownership.Claim{
		Manager: ownership.Manager{Name: name, Operation: operation, APIVersion: "apps/v1"}, Fields: set,
	}
	if at > 0 {
		read.Time = time.Unix(int64(at), 0)
	}
	return read
}

const (
	applies = metav1.ManagedFieldsOperationApply
	updates = metav1.ManagedFieldsOperationUpdate
	whole   = `{"f:spec":{"f:replicas":{},"f:paused":{}}}`
	part    = `{"f:spec":{"f:paused":{}}}`
	rest    = `{"f:spec":{"f:replicas":{}}}`
	// defaults is what is left of the entry of a Deployment's creator after a take-over.
	defaults = `{"f:spec":{"f:replicas":{},"f:revisionHistoryLimit":{},"f:progressDeadlineSeconds":{}}}`
)

// surveyOf returns a survey of objects with the same claims.
func surveyOf(n int, claims ...ownership.Claim) Survey {
	s := Survey{Served: func(version, _ string) bool { return version == "apps/v1" }, Quiet: time.Unix(0, 0)}
	for i := range n {
		id := manifest.Identity{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: fmt.Sprintf("web-%d", i)}
		s.Objects = append(s.Objects, Object{ID: id, Resource: "deployments.apps", Claims: claims})
	}
	return s
}

// expectFindings compares what is found of an object with these claims.
func expectFindings(t *testing.T, want string, claims ...ownership.Claim) {
	t.Helper()
	var got []string
	for _, f := range Of(surveyOf(1, claims...)).Findings {
		got = append(got, fmt.Sprint(f.Problem, " ", f.Managers, " ", f.Fields))
	}
	if strings.Join(got, "; ") != want {
		t.Errorf("found is %v, want %q", got, want)
	}
}

// Only an update since an apply, beside what that holds, is suspected to have taken a field.
func TestAlternating(t *testing.T) {
	t.Parallel()
	scale := claim(t, "kubectl", updates, 0, rest)
	scale.Subresource = "scale"
	controller := claim(t, "kube-controller-manager", updates, 9, rest)
	for name, test := range map[string]struct {
		claims []ownership.Claim
		want   string
	}{
		"an update since":             {[]ownership.Claim{claim(t, "flux", applies, 1, part), claim(t, "bob", updates, 2, rest)}, "alternating [flux bob] [spec.replicas]"},
		"an update before":            {[]ownership.Claim{claim(t, "flux", applies, 2, part), claim(t, "bob", updates, 1, rest)}, ""},
		"an update through scale":     {[]ownership.Claim{claim(t, "flux", applies, 1, part), scale}, ""},
		"an apply without a time":     {[]ownership.Claim{claim(t, "flux", applies, 0, part), claim(t, "bob", updates, 2, rest)}, ""},
		"a default of kubectl apply":  {[]ownership.Claim{claim(t, "flux", applies, 1, part), claim(t, "kubectl-client-side-apply", updates, 2, defaults)}, ""},
		"an apply of another map":     {[]ownership.Claim{claim(t, "flux", applies, 1, `{"f:data":{"f:a":{}}}`), claim(t, "bob", updates, 2, rest)}, ""},
		"the same tool":               {[]ownership.Claim{claim(t, "flux", applies, 1, part), claim(t, "flux", updates, 2, rest)}, ""},
		"metadata":                    {[]ownership.Claim{claim(t, "flux", applies, 1, `{"f:metadata":{"f:labels":{"f:a":{}}}}`), claim(t, "bob", updates, 2, `{"f:metadata":{"f:labels":{"f:b":{}}}}`)}, ""},
		"a built-in controller":       {[]ownership.Claim{claim(t, "flux", applies, 1, part), controller}, ""},
		"an update of what it shares": {[]ownership.Claim{claim(t, "flux", applies, 1, whole), claim(t, "bob", updates, 2, rest)}, "shared [flux bob] [spec.replicas]"},
		"before the first apply":      {[]ownership.Claim{claim(t, "flux", applies, 1, whole), claim(t, "before-first-apply", updates, 1, rest)}, "before-first-apply [before-first-apply] [spec.replicas]"},
		"status":                      {[]ownership.Claim{claim(t, "a", updates, 1, `{"f:status":{"f:a":{}}}`), claim(t, "b", updates, 1, `{"f:status":{"f:a":{}}}`)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectFindings(t, test.want, test.claims...)
		})
	}
}

// What people have added to an object that a tool applies is found, containers first, and what they may have changed is
// only suspected.
func TestAdded(t *testing.T) {
	t.Parallel()
	const (
		app   = `{"f:spec":{"f:paused":{},"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{},"f:image":{}}}}}`
		added = `{"f:metadata":{"f:labels":{"f:team":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"x\"}":{".":{},"f:name":{},"f:image":{}}}}}`
	)
	scale := claim(t, "kubectl", updates, 0, rest)
	scale.Subresource = "scale"
	for name, test := range map[string]struct {
		claims []ownership.Claim
		want   string
	}{
		"by kubectl edit": {
			[]ownership.Claim{claim(t, "flux", applies, 1, app), claim(t, "kubectl-edit", updates, 2, added)},
			`added-by-people [kubectl-edit] [spec.containers[name="x"] metadata.labels.team]`,
		},
		"to an object of nobody": {[]ownership.Claim{claim(t, "kubectl-create", updates, 1, app), claim(t, "kubectl-edit", updates, 2, added)}, ""},
		"beside a patch": {
			[]ownership.Claim{claim(t, "kubectl-client-side-apply", updates, 1, app), claim(t, "k8sconnect-patch-a09c5d6b", applies, 2, rest), claim(t, "kubectl-label", updates, 3, added)}, "",
		},
		"by a tool":                  {[]ownership.Claim{claim(t, "flux", applies, 1, app), claim(t, "bob", updates, 2, added)}, ""},
		"what may have been changed": {[]ownership.Claim{claim(t, "flux", applies, 1, app), claim(t, "kubectl-edit", updates, 2, rest)}, "alternating [flux kubectl-edit] [spec.replicas]"},
		"by kubectl scale":           {[]ownership.Claim{claim(t, "flux", applies, 1, app), scale}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectFindings(t, test.want, test.claims...)
		})
	}
}

// The annotation of kubectl apply tells what it has written from the defaults in its entry.
func TestWrittenByKubectl(t *testing.T) {
	t.Parallel()
	both := claim(t, "kubectl-client-side-apply", updates, 2, `{"f:spec":{"f:replicas":{},"f:revisionHistoryLimit":{},"f:minReadySeconds":{}}}`)
	claims := ownership.Claims{claim(t, "flux", applies, 1, part), both}
	s := surveyOf(1, claims...)
	s.Objects[0].Written = WrittenByKubectl(map[string]string{corev1.LastAppliedConfigAnnotation: `{"apiVersion":"apps/v1","spec":{"replicas":3}}`}, claims)
	found := Of(s).Findings
	if len(found) != 1 || found[0].Problem != Alternating || !slices.Equal(found[0].Fields, []string{"spec.replicas"}) {
		t.Errorf("found is %+v", found)
	}
	if WrittenByKubectl(map[string]string{corev1.LastAppliedConfigAnnotation: "{"}, claims) != nil || WrittenByKubectl(nil, claims) != nil {
		t.Error("an annotation that cannot be read tells something")
	}
}

// No name can end a quotation in a command.
func TestCommandsAreQuoted(t *testing.T) {
	t.Parallel()
	s := surveyOf(1, claim(t, "it's", applies, 1, part))
	s.Objects[0].ID.Name, s.Objects[0].ID.Namespace = "a; rm 'b'", ""
	s.Quiet = time.Unix(2, 0)
	const want = `kubectl patch deployments.apps 'a; rm '\''b'\''' --type=json -p '[{"op":"test","path":"/metadata/managedFields/0/manager","value":"it\u0027s"},`
	if got := Of(s).Findings; len(got) != 1 || !strings.HasPrefix(got[0].Mend, want) {
		t.Errorf("found is %+v", got)
	}
}

// A line of ignore_fields stands under the objects whose fields it names, and a command under all of its group.
func TestTextOfMends(t *testing.T) {
	t.Parallel()
	s := surveyOf(0)
	for i, fields := range []string{part, part, rest, whole} {
		one := surveyOf(1, claim(t, "k8sconnect", applies, 1, fields), claim(t, "kubectl-set", updates, 1, fields)).Objects[0]
		one.ID.Name = fmt.Sprintf("web-%d", i)
		s.Objects = append(s.Objects, one)
	}
	expectText(t, s, `
  deployments.apps shop/web-0, k8sconnect and kubectl-set (1970-01-01T00:00:01Z): spec.paused
  deployments.apps shop/web-1, k8sconnect and kubectl-set (1970-01-01T00:00:01Z): spec.paused
    ignore_fields = ["spec.paused"]
  deployments.apps shop/web-2, k8sconnect and kubectl-set (1970-01-01T00:00:01Z): spec.replicas
    ignore_fields = ["spec.replicas"]
  and 1 more of deployments.apps
`)
	expectText(t, surveyOf(4), `
  deployments.apps shop/web-0
  deployments.apps shop/web-1
  deployments.apps shop/web-2
  and 1 more of deployments.apps
    kubectl apply --server-side --field-manager=NAME -n shop -f FILE
`)
}

// expectText compares the findings in the text of a survey.
func expectText(t *testing.T, s Survey, want string) {
	t.Helper()
	var out strings.Builder
	if err := Of(s).Text(&out, func(io.Writer, [][]string) error { return nil }); err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(strings.TrimPrefix(out.String(), "\n"), "\n")
	if diff := cmp.Diff(want, "\n"+got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// mendsOf returns the steps of the patch for each problem of an object with these claims.
func mendsOf(t *testing.T, claims ...ownership.Claim) map[Problem][]string {
	t.Helper()
	mends := map[Problem][]string{}
	for _, f := range Of(surveyOf(1, claims...)).Findings {
		_, patch, _ := strings.Cut(strings.TrimSuffix(f.Mend, "'"), "-p '")
		var steps []struct{ Op, Path, Value json.RawMessage }
		if err := json.Unmarshal([]byte(patch), &steps); err != nil || mends[f.Problem] != nil {
			t.Fatalf("%s: %s: %v", f.Problem, f.Mend, err)
		}
		for _, step := range steps {
			path := strings.TrimPrefix(strings.Trim(string(step.Path), `"`), "/metadata/managedFields/")
			text := strings.TrimSpace(strings.Trim(string(step.Op), `"`) + " " + path + " " + string(step.Value))
			mends[f.Problem] = append(mends[f.Problem], text)
		}
	}
	return mends
}

// An object with claims in versions that are not served has one command for all of them, and whatever else ends a claim
// moves the others, too: the server forgets all owners of a custom resource with a write that leaves one.
func TestUnservedVersions(t *testing.T) {
	t.Parallel()
	in := func(version string, of ownership.Claim) ownership.Claim {
		of.APIVersion = version
		return of
	}
	guard := func(position int, name, operation, version string) []string {
		return []string{
			fmt.Sprintf("test %d/manager %q", position, name), fmt.Sprintf("test %d/operation %q", position, operation),
			fmt.Sprintf("test %d/apiVersion %q", position, version), fmt.Sprintf("test %d/subresource null", position),
		}
	}
	const old, older = "apps/v1beta2", "apps/v1beta1"
	flux := in(old, claim(t, "flux", applies, 1, part))
	convertFlux := append(guard(0, "flux", "Apply", old), `replace 0/apiVersion "apps/v1"`)
	for name, test := range map[string]struct {
		claims []ownership.Claim
		want   map[Problem][]string
	}{
		"two managers": {
			[]ownership.Claim{flux, in(older, claim(t, "helm", updates, 1, rest))},
			map[Problem][]string{Unserved: slices.Concat(
				guard(1, "helm", "Update", older), []string{`replace 1/apiVersion "apps/v1"`}, convertFlux)},
		},
		"a claim that is released": {
			[]ownership.Claim{flux, claim(t, "before-first-apply", updates, 2, rest)},
			map[Problem][]string{
				Unserved:         convertFlux,
				BeforeFirstApply: slices.Concat(guard(1, "before-first-apply", "Update", "apps/v1"), []string{"remove 1"}, convertFlux),
			},
		},
		"a claim that is released and is not served": {
			[]ownership.Claim{claim(t, "flux", applies, 1, part), in(old, claim(t, "before-first-apply", updates, 2, rest))},
			map[Problem][]string{
				Unserved:         append(guard(1, "before-first-apply", "Update", old), `replace 1/apiVersion "apps/v1"`),
				BeforeFirstApply: append(guard(1, "before-first-apply", "Update", old), "remove 1"),
			},
		},
		"the last claim": {
			[]ownership.Claim{claim(t, "before-first-apply", updates, 2, rest)},
			map[Problem][]string{BeforeFirstApply: append(guard(0, "before-first-apply", "Update", "apps/v1"),
				`replace 0 {"manager":"before-first-apply","operation":"Update","apiVersion":"apps/v1","fieldsType":"FieldsV1",`+
					`"fieldsV1":{"f:metadata":{"f:name":{}}}}`)},
		},
		"a manager that updates in three versions": {
			[]ownership.Claim{
				in(older, claim(t, "helm", updates, 1, part)), claim(t, "helm", updates, 2, rest),
				in(old, claim(t, "helm", updates, 3, `{"f:spec":{"f:template":{}}}`)),
			},
			map[Problem][]string{Unserved: slices.Concat(
				guard(2, "helm", "Update", old), []string{
					`test 2/fieldsV1 {"f:spec":{"f:template":{}}}`,
					`replace 2/fieldsV1 {"f:spec":{"f:paused":{},"f:replicas":{},"f:template":{}}}`, `replace 2/apiVersion "apps/v1"`,
				},
				guard(1, "helm", "Update", "apps/v1"), []string{`test 1/fieldsV1 ` + rest, "remove 1"},
				guard(0, "helm", "Update", older), []string{`test 0/fieldsV1 ` + part, "remove 0"})},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, mendsOf(t, test.claims...)); diff != "" {
				t.Errorf("commands (-want +got):\n%s", diff)
			}
		})
	}
	expectFindings(t, "unserved-version [flux helm] [spec.paused spec.replicas]", flux, in(older, claim(t, "helm", updates, 1, rest)))
}

// A command names the subresource of a claim.
func TestCommandsNameSubresources(t *testing.T) {
	t.Parallel()
	released := claim(t, "before-first-apply", updates, 1, rest)
	released.Subresource = "status"
	if got := mendsOf(t, released)[BeforeFirstApply]; !slices.Contains(got, `test 0/subresource "status"`) {
		t.Errorf("steps are %q", got)
	}
}

func BenchmarkOverview(b *testing.B) {
	s := surveyOf(10_000, claim(b, "flux", applies, 1, whole), claim(b, "bob", updates, 2, rest))
	for b.Loop() {
		Of(s)
	}
}
