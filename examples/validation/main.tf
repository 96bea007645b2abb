terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

provider "k8sconnect" {
  cluster = { config_path = "~/.kube/config" }
}

resource "k8sconnect_manifest" "ferry" {
  yaml_body = file("${path.module}/ferry.yaml")
}

output "uid" {
  value = k8sconnect_manifest.ferry.object_ref.uid
}
