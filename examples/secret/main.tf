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

# A sensitive value makes Terraform hide yaml_body as a whole. stringData is sent as data, and managed_state
# shows digests of its values. The state holds yaml_body in clear, so store the state accordingly.
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
