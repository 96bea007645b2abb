terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifest" "ferry" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ferry
      namespace: default
      labels:
        app: ferry
    data:
      seats: "80"
  YAML

  # Helm 4 has applied it, and its release is gone.
  adopt_existing     = true
  take_over_managers = ["helm"]
}
