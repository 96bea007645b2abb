terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

locals {
  beacons = file("${path.module}/install.yaml")
}

resource "k8sconnect_manifests" "beacons" {
  manifests        = provider::k8sconnect::documents(local.beacons, { secrets = "none", namespace = "default", format = "json" })
  secret_manifests = provider::k8sconnect::documents(local.beacons, { secrets = "only", namespace = "default" })
}
