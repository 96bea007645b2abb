terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

variable "proxy_image" {
  description = "The image of a proxy; null for none."
  type        = string
  default     = null
}

# It represents a cloud role: its ID is known only after the apply.
resource "terraform_data" "role" {}

resource "k8sconnect_manifest" "orders" {
  manifest = {
    apiVersion = "apps/v1"
    kind       = "Deployment"
    metadata   = { name = "orders", namespace = "default" }
    spec = {
      replicas = 2
      selector = { matchLabels = { app = "orders" } }
      template = {
        metadata = {
          labels      = { app = "orders" }
          annotations = { "example.com/role" = "role-${terraform_data.role.id}" }
        }
        spec = {
          containers = [
            { name = "app", image = "registry.example.com/orders:1.4.2" },
            var.proxy_image == null ? null : { name = "proxy", image = var.proxy_image, args = ["--quiet"] },
          ]
        }
      }
    }
  }
}
