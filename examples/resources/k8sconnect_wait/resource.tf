# A Deployment that Helm installs
resource "k8sconnect_wait" "webhook" {
  target = {
    api_version = "apps/v1"
    kind        = "Deployment"
    namespace   = "default"
    name        = "cert-manager-webhook"
  }

  conditions = { Available = "True" }
  exports    = { replicas = "status.availableReplicas" }

  timeouts {
    create = "5m"
  }
}

# It is applied when the Deployment is available
resource "k8sconnect_manifest" "settings" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: issuer-settings
      namespace: default
    data:
      replicas: "${k8sconnect_wait.webhook.values["replicas"]}"
  YAML
}
