package acceptance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// counted are ten objects, with the form in which the audit log writes each. An update changes the label NOTE.
// watched is how the log writes the watch for the deletion of an object that a finalizer or its contents block
// for a moment.
var counted = []struct{ line, body, watched string }{
	{line: "namespaces NS-inner/NS-inner", body: "apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-inner, NOTE}", watched: "namespaces NS-inner"},
	{line: "clusterroles web-NS", body: "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: web-NS, NOTE}\nrules: []"},
	{line: "priorityclasses web-NS", body: "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: web-NS, NOTE}\nvalue: 7"},
	{line: "configmaps NS/web", body: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS, NOTE}\ndata: {a: b}"},
	{line: "secrets NS/web", body: "apiVersion: v1\nkind: Secret\nmetadata: {name: web, namespace: NS, NOTE}\nstringData: {a: b}"},
	{line: "serviceaccounts NS/web", body: "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: NS, NOTE}"},
	{line: "services NS/web", body: "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS, NOTE}\nspec: {selector: {app: web}, ports: [{port: 80}]}"},
	{line: "deployments NS/web", body: strings.Replace(strings.TrimSpace(story.Deployment), "namespace: NS", "namespace: NS, NOTE", 1)},
	{line: "roles NS/web", body: "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: web, namespace: NS, NOTE}\nrules: []"},
	{
		line: "persistentvolumeclaims NS/web", watched: "persistentvolumeclaims NS/web",
		body: "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: web, namespace: NS, NOTE}\n" +
			"spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}",
	},
}

// every returns one line for each of the counted objects for each verb, "get" or "patch dry-run 201" for
// instance: the first word goes before the object and the rest after it.
func every(verbs ...string) []string {
	var lines []string
	for _, object := range counted {
		for _, verb := range verbs {
			method, result, _ := strings.Cut(verb, " ")
			lines = append(lines, method+" "+object.line+" "+result)
		}
	}
	return lines
}

// Every operation costs what it must and nothing else, counted from the server's audit log over ten
// objects that share a connection.
func TestRequestsPerOperation(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	write := func(note string) {
		var blocks []string
		for i, object := range counted {
			body := strings.Replace(object.body, "NOTE", "labels: {note: "+note+"}", 1)
			blocks = append(blocks, s.Manifest(fmt.Sprintf("object%d", i), body))
		}
		w.Configure(blocks...)
	}
	write("first")
	w.ExpectCost("plan of a create", every("patch dry-run 201"), "plan", "-out=plan")
	w.ExpectCost("create", every("patch dry-run 201", "patch 201"), "apply", "plan")
	w.ExpectCost("plan without changes", every("get 200"), "plan", "-detailed-exitcode", "-out=plan")
	write("second")
	w.ExpectCost("plan of an update", every("get 200", "patch dry-run 200"), "plan", "-out=plan")
	w.ExpectCost("update", every("patch dry-run 200", "patch 200"), "apply", "plan")
	w.ExpectCost("plan without changes after an update", every("get 200"), "plan", "-detailed-exitcode", "-out=plan")
	// A namespace takes along what is in it: the plan lists each kind of the cluster there, also those of other stories.
	read, _ := w.Cost("plan", "-destroy", "-out=plan")
	isListing := func(request string) bool {
		return strings.HasPrefix(request, "list ") && strings.HasSuffix(request, " NS-inner 200")
	}
	if !slices.ContainsFunc(read, isListing) {
		t.Error("the plan of a destroy does not list what is in the namespace")
	}
	// A claim takes its volume along, which the object says.
	gets := append(every("get 200"), "get persistentvolumeclaims NS/web 200")
	slices.Sort(gets)
	if diff := cmp.Diff(gets, slices.DeleteFunc(read, isListing)); diff != "" {
		t.Errorf("plan of a destroy: requests (-want +got):\n%s", diff)
	}
	want := every("delete 200")
	for _, object := range counted {
		if object.watched != "" {
			want = append(want, "watch "+object.watched+" 200")
		}
	}
	w.ExpectCost("destroy", want, "apply", "plan")
}

// Releasing costs a read and a write of managedFields, at create the write alone, and taking back is an
// update like any other. Where nothing is left that anybody owns, the server gives the object to
// before-first-apply, and taking back takes over from it, which costs one more write.
func TestRequestsOfIgnoredFields(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	const target, get, dryNew, dry, createdNew, patched = "v1 ConfigMap web", "get configmaps NS/web 200",
		"patch configmaps NS/web dry-run 201", "patch configmaps NS/web dry-run 200", "patch configmaps NS/web 201",
		"patch configmaps NS/web 200"
	values := map[string]any{"data.colour": "red", "data.shape": "round", "data.size": "large"}
	body := strings.Replace(story.ConfigMap, "{colour: red}", "{colour: red, shape: round, size: large}", 1)
	w.Configure(s.Manifest("test", body, `ignore_fields = ["data.colour"]`))
	w.ExpectCost("plan of a create", []string{dryNew}, "plan", "-out=plan")
	w.ExpectCost("create", []string{dryNew, createdNew, patched}, "apply", "plan")
	w.ExpectCost("plan without changes", []string{get}, "plan", "-detailed-exitcode")
	for _, round := range []struct {
		name, ignore string
		// owners are those of data.colour once it is released.
		owners []string
		// takingBack is what taking it back costs in addition to the PATCH.
		takingBack []string
	}{
		{name: "a field", ignore: `ignore_fields = ["data.colour", "data.size"]`, takingBack: []string{dry}},
		{
			name: "everything", ignore: `ignore_fields = ["data"]`,
			owners: []string{"before-first-apply"}, takingBack: []string{dry, patched},
		},
	} {
		w.Configure(s.Manifest("test", body, round.ignore))
		w.ExpectCost("plan of a release of "+round.name, []string{get, dry}, "plan", "-out=plan")
		w.ExpectCost("release of "+round.name, []string{dry, get, patched, patched}, "apply", "plan")
		w.ExpectCost("plan without changes after a release of "+round.name, []string{get}, "plan", "-detailed-exitcode")
		story.Must(t, story.LiveChecks(s.ExpectLive(target, values), s.ExpectOwners(target, "data.colour", round.owners...))(nil))
		w.Configure(s.Manifest("test", body))
		w.ExpectCost("plan of taking back "+round.name, []string{get, dry}, "plan", "-out=plan")
		w.ExpectCost("taking back "+round.name, append(round.takingBack, patched), "apply", "plan")
		story.Must(t, story.LiveChecks(s.ExpectLive(target, values), s.ExpectOwners(target, "data.colour", "k8sconnect"))(nil))
	}
}
