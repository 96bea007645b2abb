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

  # Their import IDs. A cluster-scoped object has no namespace.
  ids = {
    for file, object in local.objects : file => join(",", compact([
      "apiVersion=${object.apiVersion}",
      "kind=${object.kind}",
      try("namespace=${object.metadata.namespace}", ""),
      "name=${object.metadata.name}",
    ]))
  }
}

import {
  for_each = local.ids

  to = k8sconnect_manifest.stock[each.key]
  id = each.value
}

resource "k8sconnect_manifest" "stock" {
  for_each = local.ids

  yaml_body = file("${path.module}/${each.key}")
}
