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
  seed = {
    apiVersion = "v1"
    kind       = "ConfigMap"
    metadata   = { name = "seed", namespace = "default" }
    data       = { theme = "light" }
  }
}

# The apply creates the object if it does not exist. Whoever uses it owns it from then on, and a destroy leaves it.
resource "k8sconnect_manifest" "seed" {
  yaml_body      = yamlencode(local.seed)
  adopt_existing = true
  ignore_fields  = setsubtract(keys(local.seed), ["apiVersion", "kind", "metadata"])
  on_destroy     = "release"
}
