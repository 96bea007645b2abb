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

# What kubectl has made of these kinds, in all namespaces. Add the other kinds that you use.
data "k8sconnect_objects" "made" {
  for_each = toset([
    "v1 Namespace", "v1 ConfigMap", "v1 Secret", "v1 Service", "v1 ServiceAccount", "v1 PersistentVolumeClaim",
    "apps/v1 DaemonSet", "apps/v1 Deployment", "apps/v1 StatefulSet", "batch/v1 CronJob", "networking.k8s.io/v1 Ingress",
  ])

  api_version   = split(" ", each.key)[0]
  kind          = split(" ", each.key)[1]
  manager       = "kubectl-client-side-apply"
  metadata_only = true
}

locals {
  # The import IDs by the names that the resources get.
  imports = merge([
    for found in data.k8sconnect_objects.made : {
      for i, object in found.objects :
      lower(replace(join("_", compact([object.kind, try(object.metadata.namespace, ""), object.metadata.name])), "/[^A-Za-z0-9_-]/", "_")) => found.ids[i]
    }
  ]...)
}

output "imports" {
  value = join("\n", [for name, id in local.imports : "import {\n  to = k8sconnect_manifest.${name}\n  id = \"${id}\"\n}\n"])
}
