package main

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// object is one of the objects that every contender manages: a small one of a kind that clusters are full of.
type object struct {
	Index int
	// Namespace is the contender's own.
	Namespace string
	// Revision is the value of the field that an update changes, the label "revision".
	Revision string
}

// sample is a kind of the mixture.
type sample struct {
	resource schema.GroupVersionResource
	// manifest is what all objects of the kind have besides metadata.
	manifest string
}

// samples are the mixture: object number i is of the kind i modulo their number. Nothing of them makes pods or
// load balancers, so that the controllers are done with them soon.
var samples = []sample{
	{resourceV1("", "configmaps"), configMap},
	{resourceV1("", "secrets"), secret},
	{resourceV1("", "serviceaccounts"), serviceAccount},
	{resourceV1("", "services"), service},
	{resourceV1("apps", "deployments"), deployment},
	{resourceV1("apps", "statefulsets"), statefulSet},
	{resourceV1("rbac.authorization.k8s.io", "roles"), role},
	{resourceV1("rbac.authorization.k8s.io", "rolebindings"), roleBinding},
	{resourceV1("networking.k8s.io", "networkpolicies"), networkPolicy},
	{resourceV1("batch", "cronjobs"), cronJob},
}

func resourceV1(group, name string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: "v1", Resource: name}
}

func (o object) sample() sample { return samples[o.Index%len(samples)] }

// Name is the name of the object and of its resource.
func (o object) Name() string { return fmt.Sprintf("object-%04d", o.Index) }

// File is where its manifest is in a contender's directory.
func (o object) File() string { return "manifests/" + o.Name() + ".yaml" }

// drifts says whether the object is one of the tenth that others change, which has all kinds in it.
func (o object) drifts() bool { return o.Index/len(samples)%10 == o.Index%len(samples)%10 }

// manifest is its YAML.
func (o object) manifest() (string, error) {
	var text strings.Builder
	err := template.Must(template.New("manifest").Parse(o.sample().manifest)).Execute(&text, o)
	return text.String(), err
}

const (
	metadata = `
metadata:
  name: {{ .Name }}
  namespace: {{ .Namespace }}
  labels:
    app.kubernetes.io/name: shop
    app.kubernetes.io/part-of: bench
    revision: "{{ .Revision }}"
`
	configMap = `apiVersion: v1
kind: ConfigMap` + metadata + `data:
  LOG_LEVEL: info
  LISTEN_ADDRESS: ":8080"
  application.yaml: |
    server:
      port: 8080
      timeouts: {read: 5s, write: 10s}
    features: [search, checkout, recommendations]
`
	secret = `apiVersion: v1
kind: Secret` + metadata + `type: Opaque
data:
  username: c2hvcA==
  password: bm90IGEgcGFzc3dvcmQ=
`
	serviceAccount = `apiVersion: v1
kind: ServiceAccount` + metadata + `automountServiceAccountToken: false
`
	service = `apiVersion: v1
kind: Service` + metadata + `spec:
  clusterIP: None
  ports:
    - {name: http, port: 80, targetPort: 8080, protocol: TCP}
    - {name: metrics, port: 9090, protocol: TCP}
`
	podTemplate = `  template:
    metadata:
      labels: {app: {{ .Name }}}
    spec:
      serviceAccountName: default
      securityContext: {runAsNonRoot: true}
      containers:
        - name: app
          image: registry.example/shop:1.2.3
          args: [serve, --verbose]
          ports:
            - {name: http, containerPort: 8080, protocol: TCP}
          env:
            - {name: LOG_LEVEL, value: info}
            - name: POD_NAME
              valueFrom: {fieldRef: {fieldPath: metadata.name}}
          resources:
            requests: {cpu: 1000m, memory: 1024Mi}
            limits: {memory: 2Gi}
          readinessProbe:
            httpGet: {path: /ready, port: http}
            periodSeconds: 5
          volumeMounts:
            - {name: config, mountPath: /etc/shop, readOnly: true}
      volumes:
        - name: config
          configMap: {name: shop}
`
	deployment = `apiVersion: apps/v1
kind: Deployment` + metadata + `spec:
  replicas: 0
  selector:
    matchLabels: {app: {{ .Name }}}
` + podTemplate
	statefulSet = `apiVersion: apps/v1
kind: StatefulSet` + metadata + `spec:
  replicas: 0
  serviceName: shop
  selector:
    matchLabels: {app: {{ .Name }}}
` + podTemplate
	role = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role` + metadata + `rules:
  - apiGroups: [""]
    resources: [configmaps, secrets]
    verbs: [get, list, watch]
  - apiGroups: [apps]
    resources: [deployments]
    verbs: [get, patch]
`
	roleBinding = `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding` + metadata + `roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: shop}
subjects:
  - {kind: ServiceAccount, name: shop, namespace: {{ .Namespace }}}
`
	networkPolicy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy` + metadata + `spec:
  podSelector:
    matchLabels: {app: {{ .Name }}}
  policyTypes: [Ingress]
  ingress:
    - from:
        - namespaceSelector: {matchLabels: {team: shop}}
      ports:
        - {port: 8080, protocol: TCP}
`
	cronJob = `apiVersion: batch/v1
kind: CronJob` + metadata + `spec:
  schedule: "*/5 * * * *"
  suspend: true
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: job
              image: registry.example/report:1.0.0
              resources:
                requests: {cpu: 500m, memory: 256Mi}
`
)
