terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_patch" "proxy" {
  target = {
    api_version = "v1"
    kind        = "ConfigMap"
    namespace   = "default"
    name        = "proxy"
  }

  remove_fields = ["data.debug"]
  field_manager = "platform-team"
}
