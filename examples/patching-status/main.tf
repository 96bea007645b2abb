terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_patch" "checked" {
  target = {
    api_version = "v1"
    kind        = "Service"
    namespace   = "default"
    name        = "edge"
  }

  subresource = "status"
  yaml_body   = <<-YAML
    status:
      conditions:
        - type: example.com/Checked
          status: "True"
          reason: Manual
          message: checked by hand
          lastTransitionTime: "2026-01-01T00:00:00Z"
  YAML
}
