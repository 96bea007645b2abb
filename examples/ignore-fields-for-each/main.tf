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
  # Many objects, as from the function documents.
  boats = {
    for name in ["ebb", "flow"] : name => yamlencode({
      apiVersion = "v1"
      kind       = "ConfigMap"
      metadata   = { name = "boat-${name}", namespace = "default" }
      data       = { berth = "1", flag = "green" }
    })
  }

  # The lines of the warnings, by the keys of for_each.
  ignored = {
    "ebb" = ["data.berth"]
  }
}

resource "k8sconnect_manifest" "boats" {
  for_each      = local.boats
  yaml_body     = each.value
  ignore_fields = lookup(local.ignored, each.key, [])
}
