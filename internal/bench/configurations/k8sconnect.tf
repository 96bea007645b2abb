terraform {
  required_providers {
    k8sconnect = { source = "k8sconnect/k8sconnect" }
  }
}

provider "k8sconnect" {
  cluster = { config_path = "${path.module}/kubeconfig" }
}

resource "k8sconnect_manifest" "object" {
  for_each  = fileset(path.module, "manifests/*.yaml")
  yaml_body = file("${path.module}/${each.value}")
}
