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
  to = k8sconnect_manifest.cart
  id = "apiVersion=apps/v1,kind=Deployment,namespace=default,name=cart"
}

resource "k8sconnect_manifest" "cart" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: cart
      namespace: default
    spec:
      replicas: 3
      selector:
        matchLabels:
          app: cart
      template:
        metadata:
          labels:
            app: cart
        spec:
          containers:
            - name: app
              image: nginx:1.29
  YAML

  # Helm has forgotten the release, so it will not write again. The list replaces the default.
  take_over_managers = ["helm"]
}
