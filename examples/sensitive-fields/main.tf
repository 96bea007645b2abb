terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

variable "licence" {
  type      = string
  sensitive = true
  default   = "change-me"
}

# A ConfigMap that contains a secret. managed_state shows a digest of the secret, and mode in clear text.
resource "k8sconnect_manifest" "settings" {
  yaml_body = yamlencode({
    apiVersion = "v1"
    kind       = "ConfigMap"
    metadata = {
      name      = "legacy-settings"
      namespace = "default"
    }
    data = {
      mode    = "standby"
      licence = var.licence
    }
  })
  sensitive_fields = ["data.licence"]
}
