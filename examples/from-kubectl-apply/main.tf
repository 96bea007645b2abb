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
  to = k8sconnect_manifest.shop
  id = "apiVersion=apps/v1,kind=Deployment,namespace=default,name=shop"
}

resource "k8sconnect_manifest" "shop" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: shop
      namespace: default
      labels:
        team: orders
    spec:
      replicas: 2
      selector:
        matchLabels:
          app: shop
      template:
        metadata:
          labels:
            app: shop
        spec:
          containers:
            - name: app
              image: nginx:1.29
              env:
                - name: MODE
                  value: live
                - name: DEBUG
                  value: "1"
  YAML
}
