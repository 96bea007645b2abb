terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The provider needs no cluster if every resource sets its own.
provider "k8sconnect" {}

locals {
  clusters = {
    staging    = { config_path = "~/.kube/config", context = "staging" }
    production = { config_path = "~/.kube/config", context = "production" }
  }
}

resource "k8sconnect_manifest" "banner" {
  for_each = local.clusters

  cluster   = each.value
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: motd-${each.key}
      namespace: default
    data:
      text: Welcome to ${each.key}
  YAML
}
