terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_patch" "coredns" {
  target = {
    api_version = "v1"
    kind        = "ConfigMap"
    namespace   = "default"
    name        = "coredns"
  }

  yaml_body = <<-YAML
    metadata:
      labels:
        team: platform
    data:
      log-level: debug
  YAML

  field_manager = "platform-team"
}
