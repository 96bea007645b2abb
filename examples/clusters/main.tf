terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

provider "k8sconnect" {
  clusters = {
    staging    = { config_path = "~/.kube/config", context = "staging" }
    production = { config_path = "~/.kube/config", context = "production" }
  }
}

resource "k8sconnect_manifest" "banner" {
  for_each = toset(["staging", "production"])

  cluster_name = each.key
  yaml_body    = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: banner-${each.key}
      namespace: default
    data:
      text: Welcome to ${each.key}
  YAML
}
