terraform {
  required_providers {
    kubectl = { source = "alekc/kubectl" }
  }
}

provider "kubectl" {
  config_path = "${path.module}/kubeconfig"
}

resource "kubectl_manifest" "object" {
  for_each          = fileset(path.module, "manifests/*.yaml")
  yaml_body         = file("${path.module}/${each.value}")
  server_side_apply = true
  force_conflicts   = true
}
