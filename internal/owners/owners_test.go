package owners

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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
		"to an object of nobody":     {[]ownership.Claim{claim(t, "kubectl-create", updates, 1, app), claim(t, "kubectl-edit", updates, 2, added)}, ""},
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
	s.Objects[0].Written = WrittenByKubectl(map[string]string{lastApplied: `{"spec":{"replicas":3}}`}, claims)
	found := Of(s).Findings
	if len(found) != 1 || found[0].Problem != Alternating || !slices.Equal(found[0].Fields, []string{"spec.replicas"}) {
		t.Errorf("found is %+v", found)
	}
	if WrittenByKubectl(map[string]string{lastApplied: "{"}, claims) != nil || WrittenByKubectl(nil, claims) != nil {
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

func BenchmarkOverview(b *testing.B) {
	s := surveyOf(10_000, claim(b, "flux", applies, 1, whole), claim(b, "bob", updates, 2, rest))
	for b.Loop() {
		Of(s)
	}
}
