terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH: that of a reader for the plan, and that of a writer for the apply.
provider "k8sconnect" {
  plan_without_dry_run = "if_forbidden"
}

resource "k8sconnect_manifest" "motd" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: motd
      namespace: default
    data:
      text: Low tide at noon
  YAML
}
