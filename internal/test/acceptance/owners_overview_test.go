package acceptance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/owners"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

var writingManagers = []string{
	"argocd-controller", "flux", "helm", "k8sconnect", "kapp-server", "kubectl", "kubectl-create", "kubectl-edit",
	"pulumi-kubernetes", "rancher",
}

// configMapsOfEach is how many of them each writer has: together they are more than one page.
const configMapsOfEach = 52

// row is what a manager owns in a kind.
type row struct {
	objects, fields int
}

// writeMany lets ten managers write 540 objects with a label.
func writeMany(s *story.Story) {
	for i, writer := range writingManagers {
		write := s.As(writer).Apply
		if i%2 == 1 {
			write = s.As(writer).Create
		}
		labelled := func(kind, name, rest string) string {
			return fmt.Sprintf("{%s, metadata: {name: %s-%d, namespace: NS, labels: {test: NS}}, %s}", kind, name, i, rest)
		}
		for n := range configMapsOfEach {
			write(labelled("apiVersion: v1, kind: ConfigMap", fmt.Sprintf("map-%d", n), "data: {a: x, b: x}"))
		}
		write(labelled("apiVersion: v1, kind: Secret", "secret", "data: {a: eA==}"))
		write(labelled("apiVersion: apps/v1, kind: Deployment", "web", fmt.Sprintf("spec: {replicas: 1, selector: {matchLabels: {app: a%d}}, "+
			"template: {metadata: {labels: {app: a%[1]d, test: NS}}, spec: {containers: [{name: app, image: nginx}]}}}", i)))
	}
}

// countedRows returns what each manager owns in each of four kinds, by its own count of managedFields, which are compared
// with the oracle as JSON.
func countedRows(s *story.Story) map[string]row {
	s.T.Helper()
	rows := map[string]row{}
	for _, at := range []schema.GroupVersionResource{
		{Version: "v1", Resource: "configmaps"}, {Version: "v1", Resource: "secrets"}, {Version: "v1", Resource: "pods"},
		{Group: "apps", Version: "v1", Resource: "deployments"}, {Group: "apps", Version: "v1", Resource: "replicasets"},
	} {
		list, err := s.Dynamic.Resource(at).Namespace(s.Namespace).List(s.T.Context(), metav1.ListOptions{LabelSelector: "test=" + s.Namespace})
		story.Must(s.T, err)
		for _, object := range list.Items {
			for _, entry := range object.GetManagedFields() {
				var fields map[string]any
				story.Must(s.T, json.Unmarshal(entry.FieldsV1.GetRawBytes(), &fields))
				delete(fields, "f:status")
				n := leaves(fields)
				if n == 0 {
					continue
				}
				key := strings.Join([]string{entry.Manager, string(entry.Operation), entry.Subresource, at.GroupResource().String()}, " ")
				rows[key] = row{rows[key].objects + 1, rows[key].fields + n}
			}
		}
	}
	return rows
}

// leaves counts the fields of an entry of managedFields.
func leaves(fields map[string]any) int {
	n := 0
	for key, below := range fields {
		if inner, _ := below.(map[string]any); key != "." && len(inner) > 0 {
			n += leaves(inner)
			continue
		}
		n++
	}
	return n
}

func rowsOf(overview owners.Overview) map[string]row {
	rows := map[string]row{}
	for _, m := range overview.Managers {
		rows[strings.Join([]string{m.Name, m.Operation, m.Subresource, m.Resource}, " ")] = row{m.Objects, m.Fields}
	}
	return rows
}

// Ten writers and the controllers, on 540 objects and those that the controllers make: the map is exact, it costs one
// LIST of each kind and page, and nothing is written.
func TestWhoOwnsWhat(t *testing.T) {
	s := story.New(t)
	writeMany(s)
	c := caller{s, s.AddUser("reader-of-" + s.Namespace)}
	var want map[string]row
	s.Await("the controllers are quiet", func() bool {
		before := want
		want = countedRows(s)
		return want["kube-controller-manager Update  pods"].objects == len(writingManagers) &&
			want["kube-controller-manager Update status deployments.apps"].objects == len(writingManagers) && maps.Equal(before, want)
	})
	mark, began := story.AuditLog(t).Mark(), time.Now()
	overview := c.overview("-A", "-l", "test="+s.Namespace)
	t.Logf("%d objects took %s", overview.Objects, time.Since(began))
	if diff := cmp.Diff(want, rowsOf(overview), cmp.AllowUnexported(row{})); diff != "" {
		t.Errorf("managers (-want +got):\n%s", diff)
	}
	if wantObjects := (configMapsOfEach + 2 + 2) * len(writingManagers); overview.Objects != wantObjects {
		t.Errorf("%d objects, want %d", overview.Objects, wantObjects)
	}
	for i, writer := range writingManagers {
		operation := "Apply"
		if i%2 == 1 {
			operation = "Update"
		}
		// data and labels are fields of their own for those who update.
		fields := map[string]int{"Apply": 3, "Update": 5}[operation]
		if got := rowsOf(overview)[writer+" "+operation+"  configmaps"]; got != (row{configMapsOfEach, fields * configMapsOfEach}) {
			t.Errorf("%s owns %v", writer, got)
		}
	}
	ofOthers := func(kind owners.NotSeen) bool { return isOfStories(kind.Resource) }
	overview.NotSeen = slices.DeleteFunc(overview.NotSeen, ofOthers)
	if len(overview.NotSeen)+len(overview.Findings) > 0 {
		t.Errorf("not seen are %v, found are %v", overview.NotSeen, overview.Findings)
	}
	expectReads(s, mark, "reader-of-"+s.Namespace)
}

// expectReads checks that a user has listed each kind once, ConfigMaps twice, and that nothing else was sent but two
// requests for discovery.
func expectReads(s *story.Story, from testcluster.Position, user string) {
	s.T.Helper()
	isBuiltIn := func(r testcluster.Request) bool { return !isOfStories(r.URI) }
	sent, err := story.AuditLog(s.T).Since(from, testcluster.ByUser(user), isBuiltIn)
	story.Must(s.T, err)
	lists, err := s.Typed.Discovery().ServerPreferredResources()
	mustDiscover(s.T, err)
	want := []string{"get /api 200", "get /apis 200", "list configmaps 200"}
	for _, list := range lists {
		if isOfStories(list.GroupVersion) {
			continue
		}
		for _, kind := range list.APIResources {
			left := slices.Contains([]string{"events", "leases", "endpointslices"}, kind.Name)
			if !strings.Contains(kind.Name, "/") && slices.Contains(kind.Verbs, "list") && slices.Contains(kind.Verbs, "patch") && !left {
				want = append(want, "list "+kind.Name+" 200")
			}
		}
	}
	got := testcluster.Lines(sent)
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		s.T.Errorf("requests (-want +got):\n%s", diff)
	}
}

// isOfStories reports whether a text names a group that a story defines, NS.example.com for instance. Other stories define and remove
// kinds at any time.
func isOfStories(text string) bool { return strings.Contains(text, ".example.") }

// mustDiscover ends the test on an error of discovery, unless only groups that stories define do not answer.
func mustDiscover(t *testing.T, err error) {
	t.Helper()
	failed, partial := discovery.GroupDiscoveryFailedErrorGroups(err)
	if !partial {
		story.Must(t, err)
	}
	for version, why := range failed {
		if !isOfStories(version.Group) {
			t.Fatal(why)
		}
	}
}

// A user with few rights sees what it may list, and what it may not.
func TestFewRights(t *testing.T) {
	s := story.New(t)
	s.As("flux").Apply(story.ConfigMapIn("seen", "data: {a: x}"))
	s.As("flux").Apply("{apiVersion: v1, kind: Secret, metadata: {name: unseen, namespace: NS}, data: {a: eA==}}")
	user := "limited-" + s.Namespace
	const group = "rbac.authorization.k8s.io"
	s.As("kubectl").Create("{apiVersion: " + group + "/v1, kind: Role, metadata: {name: few, namespace: NS}, rules: [{apiGroups: [\"\"], " +
		"resources: [configmaps], verbs: [get, list]}]}")
	s.As("kubectl").Create("{apiVersion: " + group + "/v1, kind: RoleBinding, metadata: {name: few, namespace: NS}, subjects: [{kind: User, " +
		"name: " + user + "}], roleRef: {kind: Role, apiGroup: " + group + ", name: few}}")
	c := caller{s, s.AddUser(user, "nobody-in-particular")}
	overview := c.overview("-n", s.Namespace)
	if got := rowsOf(overview); got["flux Apply  configmaps"] != (row{1, 1}) || got["flux Apply  secrets"] != (row{}) {
		t.Errorf("owners are %v", got)
	}
	unseen := map[string]string{}
	for _, kind := range overview.NotSeen {
		unseen[kind.Resource] = kind.Reason
	}
	if _, seen := unseen["configmaps"]; seen || unseen["secrets"] != "you may not list them" || unseen["deployments.apps"] != "you may not list them" {
		t.Errorf("not seen are %v", unseen)
	}
	code, text, _ := c.run("-n", s.Namespace)
	if code != 0 || !strings.Contains(text, "Not seen:\n") || !strings.Contains(text, "  secrets: you may not list them\n") {
		t.Errorf("exit code %d, printed is %s", code, text)
	}
	code, _, errs := c.run("-n", "kube-system")
	if code != 1 || !strings.Contains(errs, "kinds could be listed") {
		t.Errorf("without any right: exit code %d, %s", code, errs)
	}
}
