terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

moved {
  from = k8sconnect_object.mailer
  to   = k8sconnect_manifest.mailer
}

resource "k8sconnect_manifest" "mailer" {
  cluster       = { kubeconfig = file("~/.kube/config") }
  ignore_fields = ["data.queue"]

  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: mailer
      namespace: default
    data:
      host: smtp.example.com
      port: "587"
      queue: fast
  YAML
}
