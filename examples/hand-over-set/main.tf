terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifests" "jetties" {
  manifests = {
    north = <<-YAML
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: jetty-north
        namespace: default
      data:
        berths: "12"
    YAML
    south = <<-YAML
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: jetty-south
        namespace: default
      data:
        berths: "4"
    YAML
  }

  # An object that leaves the set is for a resource under the provider's own field manager.
  on_destroy = "hand_over"
  successor  = "k8sconnect"
}
