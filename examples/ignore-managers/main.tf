terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifest" "search" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: search
      namespace: default
    spec:
      replicas: 3
      selector:
        matchLabels:
          app: search
      template:
        metadata:
          labels:
            app: search
        spec:
          containers:
            - name: app
              image: nginx:1.29
  YAML

  # The provider leaves every field that the autoscaler owns to it, as soon as the autoscaler owns it.
  ignore_managers = ["kube-controller-manager"]
}
