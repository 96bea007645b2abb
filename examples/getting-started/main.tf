terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

provider "k8sconnect" {
  cluster = { config_path = "~/.kube/config" }
}

resource "k8sconnect_manifest" "hello" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: hello
      namespace: default
    spec:
      replicas: 2
      selector:
        matchLabels: {app: hello}
      template:
        metadata:
          labels: {app: hello}
        spec:
          containers:
            - name: hello
              image: nginx:1.29
  YAML
}
