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
  # Every document of the file, decoded once. One that holds only comments is null.
  documents = [
    for text in split("\n---\n", "\n${file("${path.module}/manifests.yaml")}") : yamldecode("---\n${text}")
  ]

  # Every object by a key that names it, so that its place in the file does not matter.
  objects = {
    for object in local.documents : join("/", compact([
      object.apiVersion, object.kind, try(object.metadata.namespace, ""), object.metadata.name,
    ])) => object if object != null
  }

  # What other objects need before they can be created.
  first = ["Namespace", "CustomResourceDefinition"]
}

resource "k8sconnect_manifest" "first" {
  for_each = { for key, object in local.objects : key => object if contains(local.first, object.kind) }

  yaml_body = jsonencode(each.value)
}

resource "k8sconnect_manifest" "rest" {
  for_each = { for key, object in local.objects : key => object if !contains(local.first, object.kind) }

  yaml_body  = jsonencode(each.value)
  depends_on = [k8sconnect_manifest.first]
}
