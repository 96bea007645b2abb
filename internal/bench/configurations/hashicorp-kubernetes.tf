terraform {
  required_providers {
    kubernetes = { source = "hashicorp/kubernetes" }
  }
}

provider "kubernetes" {
  config_path = "${path.module}/kubeconfig"
}

resource "kubernetes_manifest" "object" {
  for_each = fileset(path.module, "manifests/*.yaml")
  manifest = yamldecode(file("${path.module}/${each.value}"))

  field_manager {
    force_conflicts = true
  }
}
