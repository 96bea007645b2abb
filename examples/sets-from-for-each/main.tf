terraform {
  required_version = ">= 1.8"
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifests" "piers" {
  manifests = provider::k8sconnect::documents(file("${path.module}/install.yaml"), { namespace = "piers", format = "json" })

  field_manager  = "k8sconnect" # That of the resources before.
  adopt_existing = true         # Remove it after the apply.
}

# k8sconnect_manifest.piers had for_each over the same documents. Terraform forgets it, and its objects stay.
removed {
  from = k8sconnect_manifest.piers
  lifecycle {
    destroy = false
  }
}
