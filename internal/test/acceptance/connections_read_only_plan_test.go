package acceptance_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// readOnlyPlanner plans as a ServiceAccount that may only read, and applies as one that may do anything in the namespace. Both use
// one configuration: the token is in a file.
type readOnlyPlanner struct {
	*story.Workspace
	cluster              string
	readToken, readUser  string
	writeToken, provider string
}

var (
	tokenLine = regexp.MustCompile(`token = "([^"]+)"`)
	// messageStart matches the first line of a warning or an error.
	messageStart = regexp.MustCompile(`(?m)^(?:Warning|Error): `)
	// lineWrap matches a line break that depends on the length of a name.
	lineWrap = regexp.MustCompile(`(\S)\n(\S)`)
	varying  = map[*regexp.Regexp]string{
		regexp.MustCompile(`on main\.tf line \d+`):       "on main.tf line N",
		regexp.MustCompile(`last write \d+\w+ ago`):      "last write 1s ago",
		regexp.MustCompile(`k8sconnect-patch-[0-9a-f]+`): "k8sconnect-patch-H",
	}
)

// newReadOnlyPlanner returns a reader with these verbs on ConfigMaps, Secrets and Deployments.
func newReadOnlyPlanner(t *testing.T, verbs ...string) readOnlyPlanner {
	t.Helper()
	s := story.New(t)
	limited := s.Limited("reader", map[string][]string{"configmaps": verbs, "secrets": verbs, "deployments": verbs})
	r := readOnlyPlanner{Workspace: s.HostedWorkspace(), provider: `plan_without_dry_run = "if_forbidden"`}
	r.readToken, r.readUser = tokenLine.FindStringSubmatch(limited)[1], "system:serviceaccount:"+s.Namespace+":reader"
	r.writeToken, _ = s.Token("writer")
	r.cluster = tokenLine.ReplaceAllString(limited, `token_file = "token"`)
	r.as(r.writeToken)
	return r
}

func (r readOnlyPlanner) as(token string) {
	r.T.Helper()
	story.Must(r.T, os.WriteFile(filepath.Join(r.Dir, "token"), []byte(token), 0o600))
}

func (r readOnlyPlanner) configure(blocks ...string) {
	r.T.Helper()
	r.ConfigureProvider(r.cluster+"\n  "+r.provider, blocks...)
}

// plan plans as the reader, compares what the plan warns of or refuses with a golden file, and returns the requests.
func (r readOnlyPlanner) plan(file string, exit int, args ...string) []string {
	r.T.Helper()
	r.as(r.readToken)
	return r.requests(func() {
		golden.Compare(r.T, "connections/readonly/"+file, r.messages(r.Exits(exit, append([]string{"plan"}, args...)...)))
	})
}

// requests returns what the reader sends while run runs, without discovery and the read that identifies the cluster.
func (r readOnlyPlanner) requests(run func()) []string {
	r.T.Helper()
	mark := story.AuditLog(r.T).Mark()
	run()
	requests, err := story.AuditLog(r.T).Since(mark, testcluster.ByUser(r.readUser), func(request testcluster.Request) bool {
		return request.Resource != "" && request.Name != "kube-system"
	})
	story.Must(r.T, err)
	var lines []string
	for _, request := range requests {
		lines = append(lines, strings.ReplaceAll(request.String(), r.Namespace, "NS"))
	}
	slices.Sort(lines)
	return lines
}

// messages returns the warnings and errors in an output, in the order of the alphabet, without what differs from run to run.
func (r readOnlyPlanner) messages(out string) string {
	out, _, _ = strings.Cut(out, "\n───")
	starts := messageStart.FindAllStringIndex(out, -1)
	var kept []string
	for i, start := range starts {
		end := len(out)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		if text := out[start[0]:end]; !strings.Contains(text, "Provider development overrides") {
			text = strings.ReplaceAll(lineWrap.ReplaceAllString(strings.TrimSpace(text), "$1 $2"), r.Namespace, "NS")
			for pattern, same := range varying {
				text = pattern.ReplaceAllString(text, same)
			}
			kept = append(kept, text+"\n")
		}
	}
	slices.Sort(kept)
	return strings.Join(kept, "\n")
}

func (r readOnlyPlanner) expectRequests(want, got []string) {
	r.T.Helper()
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		r.T.Errorf("requests (-want +got):\n%s", diff)
	}
}

const colours = "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS}, data: {colour: COLOUR, shape: SHAPE}}"

func coloured(colour, shape string) string {
	return strings.NewReplacer("COLOUR", colour, "SHAPE", shape).Replace(colours)
}

// A plan of a user who may only read tells the conflicts that the objects show, and warns once of all that it did not
// ask. Its apply, by a user who may write, asks everything.
func TestPlanWithoutRightToWrite(t *testing.T) {
	r := newReadOnlyPlanner(t, "get", "list")
	r.As("eve").Create(story.Settings)
	web, patch := r.Manifest("web", coloured("red", "round")), func(level string) string {
		return r.PatchBlock("settings", story.SettingsTarget, `data: {level: "`+level+`"}`)
	}
	typed := func(mode string) string {
		return r.TypedPatchBlock("mode", story.SettingsTarget, "merge", `{"data": {"mode": "`+mode+`"}}`)
	}
	json := func(extra string) string {
		return r.TypedPatchBlock("extra", story.SettingsTarget, "json", `[{"op": "add", "path": "/data/extra", "value": "`+extra+`"}]`)
	}
	r.configure(web, r.Manifest("app", story.Deployment), r.Manifest("kept", strings.Replace(story.ConfigMap, "name: web", "name: kept", 1)),
		patch("2"), typed("off"), json("a"))
	r.Do("apply", "-auto-approve")
	r.As("kubectl-edit").Patch("v1 ConfigMap web", `{"data": {"shape": "square"}}`)
	r.As("kube-controller-manager").Scale(story.Web, 7)
	r.As("eve").Patch(story.SettingsTarget, `{"data": {"level": "9", "mode": "auto", "extra": "b"}}`)
	r.As("eve").Create(strings.Replace(story.ConfigMap, "name: web", "name: theirs", 1))
	r.configure(
		r.Manifest("web", coloured("blue", "round")), r.Manifest("app", story.WithReplicas(4)),
		r.Manifest("kept", strings.Replace(story.ConfigMap, "name: web", "name: kept", 1)), // Nothing is to be asked of it.
		patch("3"), typed("off"), json("a"),
		r.Manifest("new", "{apiVersion: v1, kind: Secret, metadata: {name: new, namespace: NS}, stringData: {a: b}}"),
		r.Manifest("theirs", strings.Replace(strings.Replace(story.ConfigMap, "red", "green", 1), "name: web", "name: theirs", 1)),
		`import {
  to = k8sconnect_manifest.theirs
  id = "apiVersion=v1,kind=ConfigMap,namespace=`+r.Namespace+`,name=theirs"
}`,
	)
	// Each object that is to be applied costs the refused dry-run and a GET.
	want := []string{"get configmaps NS/kept 200", "get configmaps NS/theirs 200", "get configmaps NS/theirs 200", "get secrets NS/new 404"}
	for _, object := range []string{"configmaps NS/web", "deployments NS/web", "configmaps NS/settings", "configmaps NS/settings", "configmaps NS/settings"} {
		want = append(want, "get "+object+" 200", "get "+object+" 200")
	}
	for _, object := range []string{
		"configmaps NS/web", "deployments NS/web", "configmaps NS/settings", "configmaps NS/settings", "configmaps NS/settings",
		"configmaps NS/theirs", "configmaps NS/theirs-dry-run", "secrets NS/new",
	} {
		want = append(want, "patch "+object+" dry-run 403")
	}
	r.expectRequests(want, r.plan("plan.txt", story.Nothing, "-out=plan"))

	out, err := r.Try("apply", "plan")
	if err == nil || !story.Saying("Forbidden", "Grant the connection's user").MatchString(out) || strings.Contains(out, "plan_without_dry_run") {
		t.Errorf("an apply without the right to write: error %v:\n%s", err, out)
	}
	r.as(r.readToken)
	r.Do("plan", "-out=plan") // The failed apply has imported an object.
	r.as(r.writeToken)
	out = r.Do("apply", "plan")
	if text := r.messages(out); strings.Contains(text, "Without Dry-Run") || !strings.Contains(text, "Field Ownership Conflict") {
		t.Errorf("the apply says:\n%s", text)
	}
	r.Exits(story.Nothing, "plan", "-detailed-exitcode")
	r.as(r.readToken)
	r.Exits(story.Nothing, "plan", "-detailed-exitcode") // A plan without changes asks nothing.
	for _, request := range r.requests(func() { r.Do("plan", "-destroy") }) {
		if !strings.HasPrefix(request, "get ") {
			t.Errorf("the plan of a destroy sends %s", request)
		}
	}
}

// on_conflict = "fail" refuses what the object shows, and the apply refuses the rest.
func TestPlanWithoutRightToWriteRefusesConflicts(t *testing.T) {
	r := newReadOnlyPlanner(t, "get")
	const fail = `on_conflict = "fail"`
	r.configure(r.Manifest("web", coloured("red", "round"), fail))
	r.Do("apply", "-auto-approve")
	r.As("kubectl-edit").Patch("v1 ConfigMap web", `{"data": {"shape": "square"}}`)
	r.configure(r.Manifest("web", coloured("blue", "round"), fail))
	r.plan("refused.txt", story.Refused)

	r.As("kubectl-edit").Patch("v1 ConfigMap web", `{"data": {"shape": "round"}}`)
	r.as(r.readToken)
	r.Do("plan", "-out=plan")
	r.As("kubectl-edit").Patch("v1 ConfigMap web", `{"data": {"colour": "green"}}`)
	r.as(r.writeToken)
	out := r.Exits(story.Refused, "apply", "plan")
	if !story.Saying("Field Ownership Conflict", "Plan again").MatchString(out) {
		t.Errorf("the apply says:\n%s", out)
	}
}

// imitation is a policy that refuses in the words of RBAC.
const imitation = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: imitation.NS}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}
  validations:
  - expression: "false"
    reason: Forbidden
    message: 'User "reader" cannot patch resource "configmaps" in API group "" in the namespace "NS"'
`

const imitationBinding = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: imitation.NS}
spec: {policyName: imitation.NS, validationActions: [Deny]}
`

// installImitation creates the policy, and waits until it is in effect.
func installImitation(r readOnlyPlanner) {
	r.T.Helper()
	for _, text := range []string{imitation, imitationBinding} {
		object := r.As("kubectl-create").Create(text)
		client, name := r.ResourceOf(object), object.GetName()
		r.T.Cleanup(func() { _ = client.Delete(context.Background(), name, metav1.DeleteOptions{}) })
	}
	object := r.Parse(story.Settings)
	story.Must(r.T, wait.PollUntilContextTimeout(r.T.Context(), 100*time.Millisecond, 90*time.Second, true, func(ctx context.Context) (bool, error) {
		_, err := r.ResourceOf(object).Create(ctx, object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err != nil, nil
	}))
}

// Without the option, without the right to read, and where a policy refuses, a plan fails as ever.
func TestPlanWithoutRightToWriteFails(t *testing.T) {
	t.Parallel()
	t.Run("without the option", func(t *testing.T) {
		r := newReadOnlyPlanner(t, "get")
		r.provider = ""
		r.As("eve").Create(story.Settings)
		r.configure(r.Manifest("web", story.ConfigMap), r.PatchBlock("settings", story.SettingsTarget, `data: {level: "2"}`),
			"resource \"k8sconnect_manifests\" \"all\" {\n  manifests = { one = <<-EOT\n"+r.Expand(configMap("one", "1"))+"EOT\n  }\n}\n")
		r.expectRequests([]string{"patch configmaps NS/web dry-run 403", "patch configmaps NS/one dry-run 403", "get configmaps NS/settings 200",
			"patch configmaps NS/settings dry-run 403"}, r.plan("never.txt", story.Refused))
	})
	t.Run("without the right to read", func(t *testing.T) {
		r := newReadOnlyPlanner(t, "list")
		r.configure(r.Manifest("web", story.ConfigMap))
		r.expectRequests([]string{"get configmaps NS/web 403", "patch configmaps NS/web dry-run 403"}, r.plan("unreadable.txt", story.Refused))
	})
	t.Run("a policy", func(t *testing.T) {
		r := newReadOnlyPlanner(t, "get", "patch", "create")
		installImitation(r)
		r.configure(r.Manifest("web", story.ConfigMap))
		r.expectRequests([]string{"patch configmaps NS/web dry-run 403"}, r.plan("policy.txt", story.Refused))
	})
	t.Run("an immutable field", func(t *testing.T) {
		r := newReadOnlyPlanner(t, "get")
		r.configure(r.Manifest("app", story.Deployment))
		r.Do("apply", "-auto-approve")
		r.configure(r.Manifest("app", strings.ReplaceAll(story.Deployment, "app: web", "app: other")))
		r.plan("immutable.txt", story.Nothing, "-out=plan")
		r.as(r.writeToken)
		golden.Compare(t, "connections/readonly/replaced.txt", r.messages(r.Exits(story.Refused, "apply", "plan")))
	})
}

// An object that exists is found without a dry-run: it is refused, or adopted with the conflicts that it shows.
func TestPlanWithoutRightToWriteOfExistingObjects(t *testing.T) {
	r := newReadOnlyPlanner(t, "get")
	r.As("kubectl-edit").Create(story.ConfigMap)
	blue := strings.Replace(story.ConfigMap, "red", "blue", 1)
	r.configure(r.Manifest("web", blue))
	r.plan("exists.txt", story.Refused)
	r.configure(r.Manifest("web", blue, "adopt_existing = true"))
	r.plan("adopted.txt", story.Nothing, "-out=plan")
	r.as(r.writeToken)
	r.Do("apply", "plan")
	if state := r.Do("state", "show", "k8sconnect_manifest.web"); !regexp.MustCompile(`"data" += "kubectl-edit"`).MatchString(state) {
		r.T.Errorf("the plan has said that data keeps its owner; the state is\n%s", state)
	}
	r.Exits(story.Nothing, "plan", "-detailed-exitcode")
}
