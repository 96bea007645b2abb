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
  # namespace is for the objects of the file that name none.
  tides = provider::k8sconnect::stages(file("${path.module}/manifests.yaml"), { namespace = "tides" })
}

resource "k8sconnect_manifest" "crds" {
  for_each  = local.tides.crds
  yaml_body = each.value
}

resource "k8sconnect_manifest" "namespaces" {
  for_each   = local.tides.namespaces
  yaml_body  = each.value
  depends_on = [k8sconnect_manifest.crds]
}

resource "k8sconnect_manifest" "cluster" {
  for_each   = local.tides.cluster
  yaml_body  = each.value
  depends_on = [k8sconnect_manifest.namespaces]
}

resource "k8sconnect_manifest" "namespaced" {
  for_each   = local.tides.namespaced
  yaml_body  = each.value
  depends_on = [k8sconnect_manifest.cluster]
}
