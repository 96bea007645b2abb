variable "value" {
  type    = string
  default = "1"
}

variable "kubeconfig" {
  type = string
}

provider "k8sconnect" {
  clusters = { named = { config_path = var.kubeconfig } }
  rules = [
    { names = ["ruled*"], ignore_fields = ["data.theirs"], sensitive_fields = ["data.token"], on_conflict = "force" },
    {
      names              = ["ruled"]
      ignore_managers    = ["autoscaler"]
      take_over_managers = ["kubectl-client-side-apply"]
      remove_fields      = ["data.refused"]
      adopt_existing     = true
      delete_protection  = false
      on_addition        = "allow"
      on_destroy         = "delete"
      once               = true
      wait               = { until = "exists" }
    },
  ]
}

resource "k8sconnect_manifest" "namespace" {
  yaml_body = "{apiVersion: v1, kind: Namespace, metadata: {name: upgrade-0-1-0}}"
}

resource "k8sconnect_manifest" "definition" {
  wait      = { conditions = { Established = "True" } }
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
          subresources: {status: {}}
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
                status:
                  type: object
                  properties:
                    seen: {type: string}
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
  delete_propagation = "Foreground"
  force_destroy      = true
  on_addition        = "allow"
  wait               = { until = "ready", on_failure = "undo", logs = 5 }
  timeouts {
    create = "3m"
    read   = "3m"
    update = "3m"
    delete = "3m"
  }
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
  adopt_existing     = true
  field_manager      = "k8sconnect-adopting"
  take_over_managers = ["kubectl-client-side-apply"]
  yaml_body          = "{apiVersion: v1, kind: ConfigMap, metadata: {name: adopted-upgrade-0-1-0, namespace: default}, data: {a: ours}}"
}

# Somebody else created what these patch.
resource "k8sconnect_patch" "labels" {
  target    = { api_version = "v1", kind = "ConfigMap", namespace = "default", name = "foreign-upgrade-0-1-0" }
  yaml_body = "{metadata: {labels: {team: shop}}, data: {limit: \"${var.value}\"}}"
  wait      = { until = "exists", on_failure = "fail", logs = 5 }
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
  list_lengths      = { "metadata.finalizers" = { min = 0, max = 3 } }
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
  repin      = "1"
  pin_fields = ["spec.sessionAffinity", "spec.internalTrafficPolicy"]
  exports    = { affinity = "spec.sessionAffinity" }
}

resource "k8sconnect_manifest" "released" {
  on_destroy = "release"
  yaml_body  = "{apiVersion: v1, kind: ConfigMap, metadata: {name: released-upgrade-0-1-0, namespace: default}, data: {a: \"${var.value}\"}}"
}

resource "k8sconnect_manifest" "handed_over" {
  on_destroy   = "hand_over"
  successor    = "kubectl"
  cluster_name = "named"
  yaml_body    = "{apiVersion: v1, kind: ConfigMap, metadata: {name: handed-over-upgrade-0-1-0, namespace: default}, data: {a: \"${var.value}\"}}"
}

# bob takes a value, and the last apply takes it back. He adds another one, which a rule leaves to him.
resource "k8sconnect_manifest" "ruled" {
  remove_fields = ["data.unwanted"]
  yaml_body     = "{apiVersion: v1, kind: ConfigMap, metadata: {name: ruled, namespace: ${k8sconnect_manifest.namespace.object_ref.name}}, data: {contested: \"${var.value}\"}}"
}

# The Job is complete and gone.
resource "k8sconnect_manifest" "once" {
  once      = true
  wait      = { fields = { "status.succeeded" = "1" } }
  yaml_body = <<-YAML
    apiVersion: batch/v1
    kind: Job
    metadata: {name: once, namespace: ${k8sconnect_manifest.namespace.object_ref.name}}
    spec:
      ttlSecondsAfterFinished: 0
      template: {spec: {restartPolicy: Never, containers: [{name: once, image: "once:1"}]}}
  YAML
}

# bob shares a value of the first object, takes one of the second, and adds one to each.
resource "k8sconnect_manifests" "release" {
  manifests = {
    shared    = "{apiVersion: v1, kind: ConfigMap, metadata: {name: in-set, namespace: ${k8sconnect_manifest.namespace.object_ref.name}}, data: {a: \"${var.value}\", shared: same}}"
    contested = "{apiVersion: v1, kind: ConfigMap, metadata: {name: in-set-too, namespace: ${k8sconnect_manifest.namespace.object_ref.name}}, data: {contested: ours}}"
  }
  secret_manifests = {
    secret = "{apiVersion: v1, kind: Secret, metadata: {name: in-set, namespace: ${k8sconnect_manifest.namespace.object_ref.name}}, stringData: {password: \"secret-${var.value}\"}}"
  }
  manifests_wo         = { secret = "stringData: {token: hunter2}" }
  manifests_wo_version = "1"
  take_over_release    = { name = "absent", namespace = "default" }
  hooks = {
    prepare = <<-YAML
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: prepare
        namespace: ${k8sconnect_manifest.namespace.object_ref.name}
        annotations: {helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded"}
      spec:
        template: {spec: {restartPolicy: Never, containers: [{name: prepare, image: "prepare:1"}]}}
    YAML
  }
  rules              = [{ kinds = ["ConfigMap"], ignore_fields = ["data.left"] }]
  wait               = { until = "ready", on_failure = "fail", logs = 5 }
  adopt_existing     = true
  delete_propagation = "Background"
  delete_protection  = false
  field_manager      = "k8sconnect-set"
  force_destroy      = false
  ignore_managers    = ["autoscaler"]
  on_addition        = "allow"
  on_conflict        = "force"
  on_destroy         = "hand_over"
  once               = true
  sensitive_fields   = ["data.token"]
  successor          = "kubectl"
  take_over_managers = ["kubectl-client-side-apply"]
  timeouts {
    create = "3m"
    read   = "3m"
    update = "3m"
    delete = "3m"
  }
}

resource "k8sconnect_manifests" "waited" {
  manifests = {
    web = <<-YAML
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: waited, namespace: ${k8sconnect_manifest.namespace.object_ref.name}}
      spec:
        replicas: 0
        selector: {matchLabels: {app: waited}}
        template: {metadata: {labels: {app: waited}}, spec: {containers: [{name: app, image: "nginx:1.29"}]}}
    YAML
  }
  cluster_name = "named"
  wait         = { conditions = { Available = "True" }, fields = { "spec.replicas" = "0" } }
}

resource "k8sconnect_patch" "waited" {
  depends_on = [k8sconnect_manifests.waited]
  target     = { api_version = "apps/v1", kind = "Deployment", namespace = k8sconnect_manifest.namespace.object_ref.name, name = "waited" }
  yaml_body  = "metadata: {labels: {team: shop}}"
  wait       = { conditions = { Available = "True" } }
}

# One entry of a list by its keys.
resource "k8sconnect_patch" "entry" {
  target = { api_version = "v1", kind = "ServiceAccount", namespace = "default", name = "upgrade-0-1-0" }
  patch = {
    type      = "merge"
    body      = jsonencode({ imagePullSecrets = [{ name = "ours" }], metadata = { labels = { value = var.value } } })
    list_keys = { imagePullSecrets = ["name"] }
  }
}

resource "k8sconnect_patch" "status" {
  target      = { api_version = "upgrade-0-1-0.example.com/v1", kind = "Gauge", namespace = k8sconnect_manifest.gauge.object_ref.namespace, name = k8sconnect_manifest.gauge.object_ref.name }
  subresource = "status"
  yaml_body   = "status: {seen: \"${var.value}\"}"
}

resource "k8sconnect_patch" "ruled" {
  target = { api_version = "v1", kind = "ConfigMap", namespace = "default", name = "ruled-patch-upgrade-0-1-0" }
  manifest = {
    metadata = { labels = { team = "shop" } }
    data     = { contested = var.value, theirs = "ignored", a = "ours", secret = "s" }
  }
  cluster_name         = "named"
  yaml_body_wo         = "data: {token: hunter2}"
  yaml_body_wo_version = "1"
  field_manager        = "k8sconnect-part"
  ignore_fields        = ["data.a"]
  sensitive_fields     = ["data.secret"]
  on_conflict          = "force"
  on_destroy           = "hand_over"
  successor            = "kubectl"
  exports              = { contested = "data.contested" }
  sensitive_exports    = { secret = "data.secret" }
  wait                 = { fields = { "data.contested" = "*" } }
  timeouts {
    create = "3m"
    read   = "3m"
    update = "3m"
    delete = "3m"
  }
}

resource "k8sconnect_wait" "service" {
  target            = { api_version = "v1", kind = "Service", namespace = "default", name = "kubernetes" }
  cluster_name      = "named"
  until             = "exists"
  logs              = 5
  on_failure        = "fail"
  triggers          = { value = var.value }
  exports           = { port = "spec.ports[0].port" }
  sensitive_exports = { address = "spec.clusterIP" }
  timeouts {
    create = "3m"
    read   = "3m"
    update = "3m"
  }
}

resource "k8sconnect_wait" "definition" {
  target     = { api_version = "apiextensions.k8s.io/v1", kind = "CustomResourceDefinition", name = k8sconnect_manifest.definition.object_ref.name }
  conditions = { Established = "True" }
  fields     = { "spec.scope" = "Namespaced" }
}

output "exported" {
  value = [k8sconnect_manifest.typed.values.a, k8sconnect_wait.service.values.port]
}
