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
  # The objects by the names of their files. kubectl applied these files before.
  objects = {
    for file in fileset(path.module, "manifests/*.yaml") : file => yamldecode(file("${path.module}/${file}"))
  }
}

import {
  for_each = local.objects

  to = k8sconnect_manifest.stock[each.key]
  id = join(",", [
    "apiVersion=${each.value.apiVersion}",
    "kind=${each.value.kind}",
    "namespace=${each.value.metadata.namespace}",
    "name=${each.value.metadata.name}",
  ])
}

resource "k8sconnect_manifest" "stock" {
  for_each = local.objects

  yaml_body = file("${path.module}/${each.key}")
}
