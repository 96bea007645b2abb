package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// podsAlike is the template of objects with long-running pods. The pods' labels are {app: NAME}.
const podsAlike = "template: {metadata: {labels: {app: NAME}}, spec: {containers: [{name: app, image: " +
	"\"nginx:1.29\", ports: [{containerPort: 8080}], env: [{name: MODE, value: live}], resources: {requests: {cpu: " +
	"100m}}}]}}"

// jobsAlike is the pod template of Jobs and CronJobs.
const jobsAlike = "template: {spec: {restartPolicy: Never, containers: [{name: app, image: \"busybox:1.37\", " +
	"command: [date]}]}}"

// existing are the kinds of the objects that a query finds: the API version, the plural, the kind, and the fields of an
// object. None of the objects starts a pod.
var existing = [][4]string{
	{"v1", "configmaps", "ConfigMap", `data: {mode: live, settings: "a=1\nb=2\n"}`},
	{"v1", "secrets", "Secret", `data: {password: c2VjcmV0}`},
	{"v1", "services", "Service", `spec: {selector: {app: NAME}, ports: [{port: 80, targetPort: 8080}]}`},
	{"v1", "serviceaccounts", "ServiceAccount", `automountServiceAccountToken: false`},
	{"v1", "limitranges", "LimitRange", `spec: {limits: [{type: Container, max: {cpu: "64"}}]}`},
	{"v1", "persistentvolumeclaims", "PersistentVolumeClaim",
		`spec: {accessModes: [ReadWriteOnce], storageClassName: "", resources: {requests: {storage: 1Gi}}}`},
	{"v1", "replicationcontrollers", "ReplicationController",
		`spec: {replicas: 0, selector: {app: NAME}, ` + podsAlike + `}`},
	{"v1", "podtemplates", "PodTemplate", podsAlike},
	{"apps/v1", "deployments", "Deployment",
		`spec: {replicas: 0, selector: {matchLabels: {app: NAME}}, ` + podsAlike + `}`},
	{"apps/v1", "statefulsets", "StatefulSet",
		`spec: {replicas: 0, serviceName: NAME, selector: {matchLabels: {app: NAME}}, ` + podsAlike + `}`},
	{"apps/v1", "replicasets", "ReplicaSet",
		`spec: {replicas: 0, selector: {matchLabels: {app: NAME}}, ` + podsAlike + `}`},
	{"apps/v1", "daemonsets", "DaemonSet",
		`spec: {selector: {matchLabels: {app: NAME}}, ` +
			strings.Replace(podsAlike, "spec: {", "spec: {nodeSelector: {no: node}, ", 1) + `}`},
	{"batch/v1", "cronjobs", "CronJob", `spec: {suspend: true, schedule: "0 4 * * *", jobTemplate: {spec: {` +
		jobsAlike + `}}}`},
	{"batch/v1", "jobs", "Job", `spec: {suspend: true, ` + jobsAlike + `}`},
	{"networking.k8s.io/v1", "ingresses", "Ingress",
		`spec: {rules: [{host: NAME.example.com, http: {paths: [{path: /, pathType: Prefix, ` +
			`backend: {service: {name: web, port: {number: 80}}}}]}}]}`},
	{"networking.k8s.io/v1", "networkpolicies", "NetworkPolicy",
		`spec: {podSelector: {matchLabels: {app: NAME}}, policyTypes: [Ingress]}`},
	{"policy/v1", "poddisruptionbudgets", "PodDisruptionBudget",
		`spec: {minAvailable: 1, selector: {matchLabels: {app: NAME}}}`},
	{"rbac.authorization.k8s.io/v1", "roles", "Role",
		`rules: [{apiGroups: [""], resources: [configmaps], verbs: [get]}]`},
	{"rbac.authorization.k8s.io/v1", "rolebindings", "RoleBinding",
		`{roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: web}, ` +
			`subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: NAME}]}`},
	{"autoscaling/v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler",
		`spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: NAME}, maxReplicas: 3}`},
}

// applied is the field manager of client-side kubectl apply.
const applied = "kubectl-client-side-apply"

// createExisting creates objects as kubectl apply does, the same number of each kind.
func (r *race) createExisting(namespace string, size int) error {
	for i := range size {
		kind := existing[i%len(existing)]
		name := fmt.Sprintf("o-%d", i)
		var body unstructured.Unstructured
		if err := yaml.Unmarshal([]byte(strings.ReplaceAll(kind[3], "NAME", name)), &body.Object); err != nil {
			return fmt.Errorf("the body of %s: %w", kind[2], err)
		}
		body.SetAPIVersion(kind[0])
		body.SetKind(kind[2])
		body.SetName(name)
		body.SetNamespace(namespace)
		body.SetLabels(map[string]string{"app": name})
		text, err := body.MarshalJSON()
		if err != nil {
			return err
		}
		body.SetAnnotations(map[string]string{"kubectl.kubernetes.io/last-applied-configuration": string(text)})
		version, err := schema.ParseGroupVersion(kind[0])
		if err != nil {
			return err
		}
		_, err = r.dynamic.Resource(version.WithResource(kind[1])).Namespace(namespace).Create(r.ctx, &body,
			metav1.CreateOptions{FieldManager: applied})
		if err != nil {
			return err
		}
	}
	return nil
}

// queried are the phases in which existing objects come under management.
var queried = []phase{
	{Name: "query", args: []string{"query"}},
	{Name: "query with configuration", args: []string{"query", "-generate-config-out=k8s.tf"}},
	{Name: "import plan", args: []string{"plan", "-out=" + planFile}},
	{Name: "import apply", args: []string{"apply", planFile}},
	{Name: "no-op plan", args: []string{"plan", "-out=" + planFile}},
}

// query measures the phases in which existing objects come under management, and prints a table.
func (r *race) query(size int) error {
	at := slices.IndexFunc(r.contenders, func(c contender) bool { return c.Name == ours })
	w, err := r.open(r.contenders[at], trial{workload: workload{Name: "existing"}, round: 1})
	if err != nil {
		return err
	}
	if err := r.createExisting(w.namespace, size); err != nil {
		return err
	}
	text := fmt.Sprintf("list \"k8sconnect_manifest\" \"all\" {\n  provider = k8sconnect\n  limit = %d\n  config "+
		"{\n    manager = %q\n  }\n}\n", size+1, applied)
	if err := os.WriteFile(filepath.Join(w.dir, "all.tfquery.hcl"), []byte(text), 0o600); err != nil {
		return err
	}
	fmt.Printf("| %d objects of %d kinds | wall | CPU, CLI | CPU, provider | memory, provider | requests "+
		"|\n|---|---|---|---|---|---|\n", size, len(existing))
	for _, p := range queried {
		m, err := r.measure(p, w)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		if m.Errors > 0 {
			return fmt.Errorf("%s: %d errors", p.Name, m.Errors)
		}
		fmt.Printf("| %s | %.1f s | %.1f s | %.1f s | %d MB | %v |\n",
			p.Name, m.Wall.Seconds(), m.CLI.Seconds(), m.Provider.Seconds(), m.PeakMemory>>20, m.Requests)
	}
	return nil
}
