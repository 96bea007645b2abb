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
  from = kubernetes_manifest.invoices
  to   = k8sconnect_manifest.invoices
}

resource "k8sconnect_manifest" "invoices" {
  manifest = {
    apiVersion = "v1"
    kind       = "ConfigMap"
    metadata = {
      name      = "invoices"
      namespace = "default"
    }
    data = {
      currency = "EUR"
      footer   = "Thank you"
    }
  }
}

moved {
  from = kubernetes_deployment_v1.invoices
  to   = k8sconnect_manifest.invoices_web
}

resource "k8sconnect_manifest" "invoices_web" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: invoices
      namespace: default
    spec:
      replicas: 2
      selector:
        matchLabels:
          app: invoices
      template:
        metadata:
          labels:
            app: invoices
        spec:
          containers:
          - name: web
            image: nginx:1.28
            env:
            - name: LOCALE
              value: fr
  YAML
}
