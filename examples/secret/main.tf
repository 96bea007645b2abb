terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

variable "password" {
  type      = string
  sensitive = true
  default   = "change-me"
}

# Because of the sensitive value, Terraform hides all of yaml_body. The provider sends stringData as data, and
# managed_state shows digests of its values. The state contains yaml_body in clear text, so protect the state.
resource "k8sconnect_manifest" "database" {
  yaml_body = yamlencode({
    apiVersion = "v1"
    kind       = "Secret"
    metadata = {
      name      = "database"
      namespace = "default"
    }
    stringData = {
      username = "app"
      password = var.password
    }
  })
}
