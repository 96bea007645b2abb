package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// file is a text with many manifests, as projects publish it.
type file struct{ documents []string }

func (f *file) add(manifest string, values ...any) {
	f.documents = append(f.documents, strings.TrimSpace(fmt.Sprintf(manifest, values...)))
}

// text returns the documents in an order that the API server does not take.
func (f *file) text() string {
	all := slices.Clone(f.documents)
	slices.Reverse(all)
	return strings.Join(all, "\n---\n") + "\n"
}

// define adds the definition of a namespaced kind, with a schema of so many fields.
func (f *file) define(kind string, fields int) {
	plural, schema := strings.ToLower(kind)+"s", ""
	for i := range fields {
		schema += fmt.Sprintf("              field%d: {type: object, description: %q, properties: {on: {type: boolean}, size: {type: integer, default: %d}}}\n",
			i, strings.Repeat("What it is good for. ", 5), i)
	}
	f.add(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[1]s.NS.example.org}
spec:
  group: NS.example.org
  scope: Namespaced
  names: {plural: %[1]s, singular: %[2]s, kind: %[3]s}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
%[4]s
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
`, plural, strings.ToLower(kind), kind, strings.TrimRight(schema, "\n"))
}

// workload adds a Deployment with its account, rights, Service and configuration: eight objects.
func (f *file) workload(namespace, name string) {
	f.add("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: %s, namespace: %s}\nautomountServiceAccountToken: false", name, namespace)
	f.add(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: NS-%s}
rules:
- {apiGroups: [""], resources: [pods, services, endpoints], verbs: [get, list, watch]}
- {apiGroups: [NS.example.org], resources: ["*"], verbs: ["*"]}
`, name)
	f.add(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: NS-%[1]s}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: NS-%[1]s}
subjects: [{kind: ServiceAccount, name: %[1]s, namespace: %[2]s}]
`, name, namespace)
	f.add(`
apiVersion: v1
kind: Service
metadata: {name: %[1]s, namespace: %[2]s, labels: {app.kubernetes.io/name: %[1]s}}
spec:
  selector: {app.kubernetes.io/name: %[1]s}
  ports:
  - {name: web, port: 8080, targetPort: web}
  - {name: metrics, port: 9090}
`, name, namespace)
	f.add("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: %s}\ndata:\n  config.yaml: |\n    level: info\n    listen: :8080\n", name, namespace)
	f.add(`
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: %[1]s, namespace: %[2]s}
spec: {minAvailable: 1, selector: {matchLabels: {app.kubernetes.io/name: %[1]s}}}
`, name, namespace)
	f.add(`
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: %[1]s, namespace: %[2]s}
spec:
  podSelector: {matchLabels: {app.kubernetes.io/name: %[1]s}}
  policyTypes: [Ingress]
  ingress: [{ports: [{port: 8080}, {port: 9090}]}]
`, name, namespace)
	f.add(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: %[1]s, namespace: %[2]s, labels: {app.kubernetes.io/name: %[1]s}}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: %[1]s}}
  template:
    metadata: {labels: {app.kubernetes.io/name: %[1]s}}
    spec:
      serviceAccountName: %[1]s
      containers:
      - name: %[1]s
        image: registry.example.com/%[1]s:v1.0.0
        args: [--config=/etc/config.yaml, --listen=:8080]
        ports: [{name: web, containerPort: 8080}, {name: metrics, containerPort: 9090}]
        resources: {requests: {cpu: 50m, memory: 64Mi}, limits: {memory: 128Mi}}
        securityContext: {readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
        volumeMounts: [{name: config, mountPath: /etc/config.yaml, subPath: config.yaml}]
      volumes: [{name: config, configMap: {name: %[1]s}}]
`, name, namespace)
}

// webhook adds a webhook configuration for a kind. While the objects of the file are created, nothing answers it.
func (f *file) webhook(namespace, service, plural string) {
	f.add(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: NS-%[3]s}
webhooks:
- name: %[3]s.NS.example.org
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  timeoutSeconds: 1
  clientConfig: {service: {name: %[2]s, namespace: %[1]s, path: /validate, port: 8080}}
  rules: [{apiGroups: [NS.example.org], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [%[3]s]}]
`, namespace, service, plural)
}

// monitoring is a file like that of a monitoring stack: few workloads, and many dashboards, rules and monitors.
func monitoring() *file {
	f := &file{}
	f.add("apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-own, labels: {pod-security.kubernetes.io/warn: privileged}}")
	for _, kind := range []string{"Monitor", "Rule", "Probe", "Receiver"} {
		f.define(kind, 40)
	}
	for i := range 8 {
		f.workload("NS-own", fmt.Sprintf("exporter-%d", i))
	}
	for _, namespace := range []string{"default", "kube-system", "NS-own"} {
		f.add(`
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: NS-discovery, namespace: %s}
rules: [{apiGroups: [""], resources: [pods, services, endpoints], verbs: [get, list, watch]}]
`, namespace)
		f.add(`
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: NS-discovery, namespace: %s}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: NS-discovery}
subjects: [{kind: ServiceAccount, name: exporter-0, namespace: NS-own}]
`, namespace)
	}
	for i := range 60 {
		f.add("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: dashboard-%d, namespace: NS-own}\ndata:\n  dashboard.json: '{\"panels\": [%s]}'\n",
			i, strings.Repeat(`{"title": "Requests", "type": "graph", "targets": [{"expr": "sum(rate(requests_total[5m]))"}]}, `, 40)+"{}")
	}
	for i := range 80 {
		f.add("apiVersion: NS.example.org/v1\nkind: Rule\nmetadata: {name: rule-%d, namespace: NS-own}\nspec: {field1: {on: true}, field%d: {size: %d}}\n", i, 2+i%30, i)
	}
	for i := range 80 {
		f.add("apiVersion: NS.example.org/v1\nkind: Monitor\nmetadata: {name: monitor-%d, namespace: NS-own}\nspec: {field0: {size: %d}}\n", i, i)
	}
	f.webhook("NS-own", "exporter-0", "rules")
	return f
}

// operators is a file like that of several operators: many definitions with large schemas, namespaces, rights and webhooks.
func operators() *file {
	f := &file{}
	for i := range 12 {
		namespace := "NS-own"
		if i >= 6 {
			namespace = "NS-more"
		}
		kind, name := fmt.Sprintf("Thing%d", i), fmt.Sprintf("operator-%d", i)
		f.define(kind, 150)
		f.workload(namespace, name)
		f.webhook(namespace, name, strings.ToLower(kind)+"s")
		f.add("apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: NS-%s}\nvalue: %d\n", name, 1000+i)
		for n := range 12 {
			f.add("apiVersion: NS.example.org/v1\nkind: %s\nmetadata: {name: %s-%d, namespace: %s}\nspec: {field3: {on: true}}\n", kind, name, n, namespace)
		}
	}
	for _, namespace := range []string{"NS-own", "NS-more"} {
		f.add("apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}", namespace)
	}
	return f
}

// A file of a whole project is one resource: one apply creates all of it, and every plan after shows what differs, and nothing else.
func TestSetOfAFile(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		file       *file
		deployment string
		objects    int
	}{
		"monitoring": {monitoring(), "exporter-3", 296}, "operators": {operators(), "operator-3", 278},
	} {
		t.Run(name, func(t *testing.T) {
			if len(of.file.documents) != of.objects {
				t.Errorf("the file has %d documents", len(of.file.documents))
			}
			s := newSet(t)
			s.lives(of.file, of.deployment)
		})
	}
}

// lives creates, changes, repairs and deletes the objects of a file.
func (s *set) lives(f *file, deployment string) {
	t := s.T
	t.Helper()
	write := func(text string) {
		t.Helper()
		story.Must(t, os.WriteFile(filepath.Join(s.Dir, "install.yaml"), []byte(s.Expand(text)), 0o600))
	}
	write(f.text())
	s.ConfigureProvider(`{ config_path = "kubeconfig" }`, `resource "k8sconnect_manifests" "test" {
  manifests = provider::k8sconnect::documents(file("${path.module}/install.yaml"), { format = "json" })
}
`)
	s.expect(s.Do("apply", "-auto-approve"), "1 added", "not", "Warning: Field")
	s.settled()

	target := "apps/v1 Deployment NS-own/" + deployment
	write(strings.Replace(f.text(), deployment+":v1.0.0", deployment+":v1.1.0", 1))
	out := s.Exits(story.Changes, "plan", "-detailed-exitcode")
	s.expect(out, `"registry.example.com/`+deployment+`:v1.0.0" -> "registry.example.com/`+deployment+`:v1.1.0"`, "0 to add, 1 to change, 0 to destroy",
		"not", "Warning: Field", "dashboard", "CustomResourceDefinition")
	s.Do("apply", "-auto-approve")
	s.settled()

	s.As("kubectl-edit").Patch(target, `{"spec": {"template": {"spec": {"containers": [{"name": "`+deployment+`", "image": "hotfix"}]}}}}`)
	s.As("kubectl-edit").Patch("v1 ConfigMap NS-own/"+deployment, `{"data": {"config.yaml": "level: debug"}}`)
	service := s.Live("v1 Service NS-own/" + deployment)
	story.Must(t, s.ResourceOf(service).Delete(t.Context(), service.GetName(), metav1.DeleteOptions{}))
	out = s.Exits(story.Changes, "plan", "-detailed-exitcode")
	s.expect(out, `"hotfix"`, `"level: debug"`, "kubectl-edit", "not", "dashboard", "CustomResourceDefinition")
	s.Do("apply", "-auto-approve")
	s.settled()
	if s.uid("v1 Service NS-own/"+deployment) == "" {
		t.Error("what was deleted by somebody else was not created again")
	}
	s.Do("destroy", "-auto-approve")
	s.gone(target, "v1 Namespace NS-own", "rbac.authorization.k8s.io/v1 ClusterRole NS-"+deployment)
}
