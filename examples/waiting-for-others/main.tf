terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifest" "payments" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: Namespace
    metadata:
      name: payments
  YAML
}

# A controller puts the CA of the cluster into each new namespace.
resource "k8sconnect_wait" "ca" {
  target = {
    api_version = "v1"
    kind        = "ConfigMap"
    namespace   = "payments"
    name        = "kube-root-ca.crt"
  }

  triggers = { namespace = k8sconnect_manifest.payments.object_ref.uid }
  exports  = { certificate = "data[\"ca.crt\"]" }
}

output "ca" {
  value = k8sconnect_wait.ca.values["certificate"]
}
