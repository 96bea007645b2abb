terraform {
  required_version = ">= 1.11"
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

# Ephemeral values are in no plan and in no state. They come from variables, or from ephemeral resources, for
# example of a vault.
variable "password" {
  type      = string
  ephemeral = true
  sensitive = true
  default   = "change-me"
}

# The provider merges yaml_body_wo into yaml_body and stores it nowhere. To apply a new password, change the version.
# If somebody changes the password on the cluster, the next apply sets it back.
resource "k8sconnect_manifest" "database" {
  yaml_body = yamlencode({
    apiVersion = "v1"
    kind       = "Secret"
    metadata = {
      name      = "database-credentials"
      namespace = "default"
    }
    stringData = {
      username = "app"
    }
  })
  yaml_body_wo = yamlencode({
    stringData = {
      password = var.password
    }
  })
  yaml_body_wo_version = 1
}
