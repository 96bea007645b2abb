terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifest" "archive" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: archive
      namespace: default
    data:
      entries: "12"
  YAML

  # A destroy leaves the object on the cluster, without an owner for these fields.
  on_destroy = "release"
}

resource "k8sconnect_patch" "limits" {
  target = {
    api_version = "v1"
    kind        = "ConfigMap"
    namespace   = "default"
    name        = "limits"
  }

  yaml_body = <<-YAML
    data:
      connections: "500"
  YAML

  # A destroy sets the value that the field had before the patch.
  on_destroy = "restore"
}
