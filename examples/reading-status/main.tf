terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifest" "shop" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: Service
    metadata:
      name: storefront
      namespace: default
    spec:
      type: LoadBalancer
      selector:
        app: storefront
      ports:
        - port: 80
  YAML

  exports = {
    cluster_ip = "spec.clusterIP"
    address    = "status.loadBalancer.ingress[0].ip"
  }
}

output "cluster_ip" {
  value = k8sconnect_manifest.shop.values.cluster_ip
}

# Null until the load balancer has an address.
output "address" {
  value = k8sconnect_manifest.shop.values.address
}
