terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

import {
  to = k8sconnect_manifest.legacy
  id = "apiVersion=apps/v1,kind=Deployment,namespace=default,name=legacy"
}

resource "k8sconnect_manifest" "legacy" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: legacy
      namespace: default
    spec:
      replicas: 4
      selector:
        matchLabels:
          app: legacy
      template:
        metadata:
          labels:
            app: legacy
        spec:
          containers:
            - name: app
              image: nginx:1.29
  YAML
}
