terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifest" "banner" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: banner
      namespace: default
      labels:
        team: web
        tier: front
    data:
      text: Welcome
  YAML

  # When the resource leaves the configuration, Flux owns its fields.
  on_destroy = "hand_over"
  successor  = "kustomize-controller"
}
