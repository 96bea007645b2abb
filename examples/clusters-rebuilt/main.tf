terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

provider "k8sconnect" {
  clusters = {
    # Remove accept_new_cluster after the apply that fills the new cluster.
    production = { config_path = "~/.kube/config", context = "production", accept_new_cluster = true }
  }
}

resource "k8sconnect_manifest" "banner" {
  cluster_name = "production"
  yaml_body    = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: banner-rebuilt
      namespace: default
    data:
      text: Welcome back
  YAML
}
