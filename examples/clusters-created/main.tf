terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# Stands for the module that creates a cluster, and whose output is known only after the apply.
resource "terraform_data" "new_cluster" {
  input = "staging"
}

provider "k8sconnect" {
  clusters = {
    production = { config_path = "~/.kube/config", context = "production" }
    new        = { config_path = "~/.kube/config", context = terraform_data.new_cluster.output }
  }
}

resource "k8sconnect_manifest" "notice" {
  for_each = toset(["production", "new"])

  cluster_name = each.key
  yaml_body    = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: notice-${each.key}
      namespace: default
    data:
      text: The cluster ${each.key} is managed with Terraform
  YAML
}
