terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

moved {
  from = kubectl_manifest.reports
  to   = k8sconnect_manifest.reports
}

resource "k8sconnect_manifest" "reports" {
  ignore_fields = ["spec.replicas"]

  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: reports
      namespace: default
      labels:
        team: finance
    spec:
      replicas: 2
      selector:
        matchLabels:
          app: reports
      template:
        metadata:
          labels:
            app: reports
        spec:
          containers:
          - name: web
            image: nginx:1.28
  YAML
}
