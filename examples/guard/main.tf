terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifest" "api" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: api
      namespace: default
    spec:
      replicas: 3
      selector:
        matchLabels:
          app: api
      template:
        metadata:
          labels:
            app: api
        spec:
          containers:
            - name: app
              image: nginx:1.29
  YAML

  lifecycle {
    # An error: this configuration must be the one that sets the number of replicas.
    postcondition {
      condition     = self.field_ownership["spec.replicas"] == "k8sconnect"
      error_message = "spec.replicas belongs to ${self.field_ownership["spec.replicas"]}."
    }
  }
}

resource "k8sconnect_manifest" "worker" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: worker
      namespace: default
    spec:
      replicas: 2
      selector:
        matchLabels:
          app: worker
      template:
        metadata:
          labels:
            app: worker
        spec:
          containers:
            - name: app
              image: nginx:1.29
  YAML

  ignore_fields = ["spec.replicas"]

  lifecycle {
    # An error: only the autoscaler may scale; nobody owns the field until it first does.
    postcondition {
      condition = contains(
        ["nobody", "kube-controller-manager"],
        lookup(self.field_ownership, "spec.replicas", "nobody"),
      )
      error_message = "spec.replicas was set by ${self.field_ownership["spec.replicas"]}, not by the autoscaler."
    }
  }
}

# A warning: somebody edits these objects by hand.
check "no_manual_edits" {
  assert {
    condition = alltrue([
      for owner in values(k8sconnect_manifest.api.field_ownership) : !startswith(owner, "kubectl")
    ])
    error_message = "kubectl owns ${join(", ", [
      for field, owner in k8sconnect_manifest.api.field_ownership : field if startswith(owner, "kubectl")
    ])}."
  }
}
