variable "value" {
  type    = string
  default = "1"
}

provider "k8sconnect" {}

resource "k8sconnect_manifest" "namespace" {
  yaml_body = "{apiVersion: v1, kind: Namespace, metadata: {name: upgrade-0-1-0}}"
}

resource "k8sconnect_manifest" "definition" {
  yaml_body = <<-YAML
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: gauges.upgrade-0-1-0.example.com}
    spec:
      group: upgrade-0-1-0.example.com
      scope: Namespaced
      names: {kind: Gauge, plural: gauges}
      versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  properties:
                    level: {type: string}
                    unit: {type: string, default: metre}
                    marks:
                      type: array
                      x-kubernetes-list-type: map
                      x-kubernetes-list-map-keys: [name]
                      items:
                        type: object
                        required: [name]
                        properties:
                          name: {type: string}
                          at: {type: integer}
  YAML
}

resource "k8sconnect_manifest" "gauge" {
  depends_on = [k8sconnect_manifest.definition]
  yaml_body  = <<-YAML
    apiVersion: upgrade-0-1-0.example.com/v1
    kind: Gauge
    metadata: {name: brest, namespace: ${k8sconnect_manifest.namespace.object_ref.name}}
    spec:
      level: "${var.value}"
      marks: [{name: low, at: 1}, {name: high, at: 7}]
  YAML
}

# bob applies some of the same values, and others.
resource "k8sconnect_manifest" "settings" {
  ignore_fields    = ["data.ignored"]
  sensitive_fields = ["data.token"]
  yaml_body        = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: settings, namespace: ${k8sconnect_manifest.namespace.object_ref.name}}
    data: {a: "${var.value}", shared: same, ignored: first, token: abc, empty: ""}
  YAML
}

resource "k8sconnect_manifest" "secret" {
  yaml_body_wo_version = "1"
  yaml_body_wo         = "stringData: {password: hunter2}"
  yaml_body            = <<-YAML
    apiVersion: v1
    kind: Secret
    metadata: {name: credentials, namespace: ${k8sconnect_manifest.namespace.object_ref.name}}
    data: {raw: YWJj}
    stringData: {user: "user-${var.value}"}
  YAML
}

# An autoscaler sets the replicas.
resource "k8sconnect_manifest" "web" {
  ignore_managers   = ["autoscaler"]
  on_conflict       = "fail"
  delete_protection = false
  yaml_body         = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web, namespace: ${k8sconnect_manifest.namespace.object_ref.name}, annotations: {deployment.kubernetes.io/revision: "1"}}
    spec:
      paused: true
      replicas: 0
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec:
          containers:
            - {name: app, image: "nginx:1.29", resources: {requests: {cpu: 1000m}}, env: [{name: VALUE, value: "${var.value}"}]}
            - {name: side, image: "busybox:1", ports: [{containerPort: 80}]}
  YAML
  timeouts { create = "3m" }
}

# kubectl created it, with another label.
import {
  to = k8sconnect_manifest.imported
  id = "apiVersion=v1,kind=ConfigMap,namespace=default,name=imported-upgrade-0-1-0"
}

resource "k8sconnect_manifest" "imported" {
  yaml_body = "{apiVersion: v1, kind: ConfigMap, metadata: {name: imported-upgrade-0-1-0, namespace: default}, data: {a: old, b: \"${var.value}\"}}"
}

resource "k8sconnect_manifest" "adopted" {
  adopt_existing = true
  field_manager  = "k8sconnect-adopting"
  yaml_body      = "{apiVersion: v1, kind: ConfigMap, metadata: {name: adopted-upgrade-0-1-0, namespace: default}, data: {a: ours}}"
}

# Somebody else created what these patch.
resource "k8sconnect_patch" "labels" {
  target    = { api_version = "v1", kind = "ConfigMap", namespace = "default", name = "foreign-upgrade-0-1-0" }
  yaml_body = "{metadata: {labels: {team: shop}}, data: {limit: \"${var.value}\"}}"
}

resource "k8sconnect_patch" "merge" {
  target = { api_version = "v1", kind = "ConfigMap", namespace = "default", name = "merged-upgrade-0-1-0" }
  patch  = { type = "merge", body = jsonencode({ data = { mode = "fast-${var.value}", gone = null } }) }
}

resource "k8sconnect_patch" "clean" {
  target        = { api_version = "v1", kind = "ConfigMap", namespace = "default", name = "cleaned-upgrade-0-1-0" }
  yaml_body     = "data: {kept: ours}"
  remove_fields = ["data.old"]
}

resource "k8sconnect_manifest" "typed" {
  manifest = {
    apiVersion = "v1"
    kind       = "ConfigMap"
    metadata   = { name = "typed", namespace = k8sconnect_manifest.namespace.object_ref.name }
    data       = { a = var.value, secret = "s" }
  }
  sensitive_fields  = ["data.secret"]
  exports           = { a = "data.a" }
  sensitive_exports = { secret = "data.secret" }
  pin_fields        = ["data.chosen"]
  list_lengths      = { "metadata.finalizers" = { max = 3 } }
}

resource "k8sconnect_manifest" "service" {
  yaml_body  = <<-YAML
    apiVersion: v1
    kind: Service
    metadata: {name: web, namespace: ${k8sconnect_manifest.namespace.object_ref.name}}
    spec:
      clusterIP: None
      selector: {app: "web-${var.value}"}
      ports: [{name: http, port: 80}]
  YAML
  wait       = {}
  pin_fields = ["spec.sessionAffinity", "spec.internalTrafficPolicy"]
  exports    = { affinity = "spec.sessionAffinity" }
}

resource "k8sconnect_manifest" "released" {
  on_destroy = "release"
  yaml_body  = "{apiVersion: v1, kind: ConfigMap, metadata: {name: released-upgrade-0-1-0, namespace: default}, data: {a: \"${var.value}\"}}"
}

resource "k8sconnect_wait" "service" {
  target  = { api_version = "v1", kind = "Service", namespace = "default", name = "kubernetes" }
  exports = { port = "spec.ports[0].port" }
}

output "exported" {
  value = [k8sconnect_manifest.typed.values.a, k8sconnect_wait.service.values.port]
}
