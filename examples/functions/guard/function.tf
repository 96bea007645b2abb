terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

# Begin with "warn", and read the audit log. Then write "deny".
resource "k8sconnect_manifests" "guard" {
  manifests = provider::k8sconnect::guard({
    mode         = "deny"
    namespaces   = ["harbour"]
    exempt_users = ["break-glass"]
    source       = "github.com/example/harbour"
  })
}

resource "k8sconnect_manifest" "lamp" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: lamp
      namespace: harbour
    data:
      colour: red
  YAML

  depends_on = [k8sconnect_manifest.harbour]
}

resource "k8sconnect_manifest" "harbour" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: Namespace
    metadata:
      name: harbour
  YAML
}
