package main

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// mixture holds small objects of common kinds. None of them creates pods or load balancers, so the controllers finish
// with them soon.
var mixture = []sample{
	labelled("", "configmaps", configMap),
	labelled("", "secrets", secret),
	labelled("", "serviceaccounts", serviceAccount),
	labelled("", "services", service),
	labelled("apps", "deployments", deployment),
	labelled("apps", "statefulsets", statefulSet),
	labelled("rbac.authorization.k8s.io", "roles", role),
	labelled("rbac.authorization.k8s.io", "rolebindings", roleBinding),
	labelled("networking.k8s.io", "networkpolicies", networkPolicy),
	labelled("batch", "cronjobs", cronJob),
}

// labelled returns a sample with its revision in a label.
func labelled(group, resource, manifest string) sample {
	return sample{
		resource: resourceV1(group, resource), manifest: templated(manifest), revision: "/metadata/labels/revision",
	}
}

func resourceV1(group, name string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: "v1", Resource: name}
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
