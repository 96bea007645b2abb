package acceptance_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// userWithout returns a user of the workspace who may do everything to ConfigMaps, until grantUser takes a verb away.
// The arguments that it returns are those of a resource which connects as that user.
func userWithout(w *story.Workspace, verb string) (arguments string) {
	w.T.Helper()
	user := w.Namespace + "-without-" + verb
	file := "kubeconfig-without-" + verb
	story.Must(w.T, os.WriteFile(filepath.Join(w.Dir, file), w.Kubeconfig(w.AddUser(user, "limited")), 0o600))
	w.As("kubectl").Create("apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n" +
		"metadata: {name: without-" + verb + ", namespace: NS}\nsubjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: " + user + "}]\n" +
		"roleRef: {kind: Role, apiGroup: rbac.authorization.k8s.io, name: without-" + verb + "}\n")
	grantUser(w, verb, "get", "create", "patch", "delete", "watch")
	return fmt.Sprintf("cluster = { config_path = %q }", file)
}

// grantUser sets what the user without a verb may do.
func grantUser(w *story.Workspace, verb string, verbs ...string) {
	w.T.Helper()
	w.As("kubectl").Apply("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: without-" + verb + ", namespace: NS}\n" +
		"rules: [{apiGroups: [''], resources: [configmaps], verbs: [" + strings.Join(verbs, ", ") + "]}]\n")
}

// refusingPolicies refuse objects by their names.
const refusingPolicies = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: names.NS}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}
  validations:
  - {expression: "object.metadata.name != 'refused-by-a-policy'", message: "every ConfigMap needs a team"}
  - {expression: "object.metadata.name != 'refused-as-a-dry-run' || !request.dryRun", message: "no dry-runs here"}
  - {expression: "object.metadata.name != 'refused-unless-a-dry-run' || request.dryRun", message: "nothing but dry-runs here"}
`

const policiesBinding = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: names.NS}
spec: {policyName: names.NS, validationActions: [Deny]}
`

// webhook is one that no server answers.
const webhook = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: nobody.NS}
webhooks:
- name: nobody.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://127.0.0.1:1/validate"}
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}
  matchConditions: [{name: by-name, expression: "object.metadata.name == 'refused-by-a-webhook'"}]
  rules:
  - {apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}
`

const quota = `
apiVersion: v1
kind: ResourceQuota
metadata: {name: secrets, namespace: NS}
spec: {hard: {count/secrets: "0"}}
`

// installRefusals creates the policies, the webhook and the quota, and waits until they are in effect.
func installRefusals(s *story.Story) {
	s.T.Helper()
	for _, text := range []string{refusingPolicies, policiesBinding, webhook, quota} {
		object := s.As("kubectl-create").Create(text)
		client, name := s.ResourceOf(object), object.GetName()
		s.T.Cleanup(func() { _ = client.Delete(context.Background(), name, metav1.DeleteOptions{}) })
	}
	for _, text := range []string{bareObject("ConfigMap", "refused-by-a-policy"), bareObject("ConfigMap", "refused-by-a-webhook"), bareObject("Secret", "any")} {
		object := s.Parse(text)
		err := wait.PollUntilContextTimeout(s.T.Context(), 100*time.Millisecond, 90*time.Second, true, func(ctx context.Context) (bool, error) {
			_, err := s.ResourceOf(object).Create(ctx, object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
			return err != nil, nil
		})
		story.Must(s.T, err)
	}
}

func bareObject(kind, name string) string {
	return "apiVersion: v1\nkind: " + kind + "\nmetadata: {name: " + name + ", namespace: NS}\n"
}

// If the connection's user may not do something, the error names the object, whichever request is refused.
func TestBadInputRefusals(t *testing.T) {
	w := newBadInputStory(t).HostedWorkspace()
	installRefusals(w.Story)
	w.As("kubectl").Create(bareObject("ConfigMap", "exists"))
	refused := []badInput{
		{name: "patch forbidden", arguments: userWithout(w, "patch")},
		{name: "create forbidden", arguments: userWithout(w, "create")},
		{name: "refused by a policy"},
		{name: "refused as a dry run"},
		{name: "refused by a webhook"},
		{name: "refused by a quota", body: bareObject("Secret", "any")},
		{name: "exists"},
		{name: "twice", arguments: `for_each = toset(["a", "b"])`},
	}
	grantUser(w, "patch", "get", "create")
	grantUser(w, "create", "get", "patch")
	writeInputs(w, refused)
	expectSaid(w, "refusals", refused, "plan", "-parallelism=1")
}

// Errors about existing objects.
func TestBadInputChanges(t *testing.T) {
	w := newBadInputStory(t).HostedWorkspace()
	immutable := strings.Replace(bareObject("ConfigMap", "web"), "metadata", "immutable: true\ndata: {a: b}\nmetadata", 1)
	volume := bareObject("PersistentVolumeClaim", "web") + "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 2Gi}}}\n"
	set := bareObject("StatefulSet", "web") + "spec: {replicas: 0, serviceName: web, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, " +
		"spec: {containers: [{name: app, image: a}]}}}\n"
	set = strings.Replace(set, "apiVersion: v1", "apiVersion: apps/v1", 1)
	service := bareObject("Service", "web") + "spec: {selector: {app: web}, ports: [{name: http, port: 80}]}\n"
	ports := changed("image:", "ports: [{name: http, containerPort: 80}], image:")
	changed := []badInput{
		{name: "get forbidden", arguments: userWithout(w, "get")},
		{name: "patch forbidden", arguments: userWithout(w, "patch")},
		{name: "immutable", body: immutable},
		{name: "unknown field", body: story.Deployment},
		{name: "volume that shrinks", body: volume},
		{name: "gone kind"},
		{name: "stateful set", body: set},
		{name: "field added to a stateful set", body: set},
		{name: "port of a service changed", body: service},
		{name: "port of a container changed", body: ports},
	}
	writeInputs(w, changed)
	w.Do("apply", "-auto-approve")
	grantUser(w, "get", "patch", "create", "delete")
	grantUser(w, "patch", "get", "create", "delete")
	changed[1].body = strings.Replace(story.ConfigMap, "red", "blue", 1)
	changed[2].body = strings.Replace(immutable, "a: b", "a: c", 1)
	changed[3].body = strings.Replace(story.Deployment, "replicas", "replica", 1)
	changed[4].body = strings.Replace(volume, "2Gi", "1Gi", 1)
	changed[5].body = strings.Replace(story.ConfigMap, "v1", "v2", 1)
	changed[6].body = strings.NewReplacer("serviceName: web", "serviceName: shop", "replicas: 0", "replicas: 1").Replace(set)
	changed[7].body = strings.Replace(set, "replicas: 0", "podManagementPolicy: Parallel", 1)
	// Without these lines, the apply removes what the other managers changed.
	changed[8].arguments = `ignore_fields = ["spec.ports[port=8080]"]`
	changed[9].arguments = `ignore_fields = ["spec.template.spec.containers[name=\"app\"].ports[containerPort=8080]"]`
	w.As("kubectl-edit").Patch("v1 Service port-of-a-service-changed", `{"spec":{"ports":[{"name":"http","port":8080,"protocol":"TCP"}]}}`)
	w.As("kubectl-edit").Patch("apps/v1 Deployment port-of-a-container-changed",
		`{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.25","ports":[{"name":"http","containerPort":8080,"protocol":"TCP"}]}]}}}}`)
	writeInputs(w, changed)
	expectSaid(w, "changes", changed, "plan")
}

// Errors that only an apply can meet.
func TestBadInputApplies(t *testing.T) {
	w := newBadInputStory(t).HostedWorkspace()
	// No other story has this kind, so no other story's kind is among the nearest ones.
	const kind = "Gear"
	w.InstallKind(versionedKind(kind))
	installRefusals(w.Story)
	soon := "timeouts {\n    create = \"3s\"\n  }"
	applied := []badInput{
		{name: "object over 1.5 MiB", body: ofKind(kind, "text: "+repeated("a", 1600000))},
		{name: "object over 2 MiB", body: ofKind(kind, "text: "+repeated("a", 2500000))},
		{name: "refused unless a dry run"},
		{name: "namespace that never comes", body: strings.Replace(story.ConfigMap, "NS", "nowhere", 1), arguments: soon},
		{name: "version that never comes", body: strings.Replace(ofKind(kind, "size: 1"), "/v1,", "/v2,", 1), arguments: soon},
	}
	writeInputs(w, applied)
	expectSaid(w, "applies", applied, "apply", "-auto-approve")

	kept := []badInput{{name: "delete forbidden", mentioned: "NS/delete-forbidden", arguments: userWithout(w, "delete")}}
	writeInputs(w, kept)
	w.Do("apply", "-auto-approve")
	grantUser(w, "delete", "get", "create", "patch")
	expectSaid(w, "destroys", kept, "destroy", "-auto-approve")
	grantUser(w, "delete", "get", "delete", "watch")
	w.Do("destroy", "-auto-approve")
}
