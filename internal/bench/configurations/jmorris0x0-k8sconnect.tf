terraform {
  required_providers {
    k8sconnect = { source = "jmorris0x0/k8sconnect" }
  }
}

provider "k8sconnect" {}

resource "k8sconnect_object" "object" {
  for_each  = fileset(path.module, "manifests/*.yaml")
  yaml_body = file("${path.module}/${each.value}")
  cluster   = { kubeconfig = file("${path.module}/kubeconfig") }
}
