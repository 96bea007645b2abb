terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

data "k8sconnect_chart" "edge" {
  chart     = "${path.module}/edge"
  release   = "edge"
  namespace = "default"
  values    = [yamlencode({ replicas = 2 })]
}

resource "k8sconnect_manifests" "edge" {
  manifests        = data.k8sconnect_chart.edge.manifests
  secret_manifests = data.k8sconnect_chart.edge.secret_manifests
  hooks            = data.k8sconnect_chart.edge.hooks
}
