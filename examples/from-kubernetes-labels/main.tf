terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

moved {
  from = kubernetes_labels.worker
  to   = k8sconnect_patch.worker
}

resource "k8sconnect_patch" "worker" {
  target = {
    api_version = "v1"
    kind        = "Node"
    name        = "gpu-1"
  }

  yaml_body = <<-YAML
    metadata:
      labels:
        example.com/pool: gpu
        example.com/team: research
  YAML
}
