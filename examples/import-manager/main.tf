terraform {
  required_version = ">= 1.7"
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

locals {
  # The manifests of the repository, by the import IDs of their objects.
  manifests = {
    for text in [for name in fileset(path.module, "manifests/*.yaml") : file("${path.module}/${name}")] :
    join(",", [
      "apiVersion=${yamldecode(text).apiVersion}",
      "kind=${yamldecode(text).kind}",
      "namespace=${yamldecode(text).metadata.namespace}",
      "name=${yamldecode(text).metadata.name}",
    ]) => text
  }

  # What kubectl has made so far, in this namespace and of these kinds.
  made = flatten([for found in data.k8sconnect_objects.made : found.ids])
}

data "k8sconnect_objects" "made" {
  for_each = { ConfigMap = "v1", Deployment = "apps/v1" }

  api_version   = each.value
  kind          = each.key
  namespace     = "default"
  manager       = "kubectl*"
  metadata_only = true
}

# Objects that exist are imported, and the others are created.
import {
  for_each = setintersection(keys(local.manifests), local.made)

  to = k8sconnect_manifest.shop[each.key]
  id = each.key
}

resource "k8sconnect_manifest" "shop" {
  for_each = local.manifests

  yaml_body = each.value
}

# What no manifest of the repository describes.
output "not_in_the_repository" {
  value = setsubtract(local.made, keys(local.manifests))
}
