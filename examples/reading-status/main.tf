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
}

data "k8sconnect_field_ownership" "shop" {
  api_version    = k8sconnect_manifest.shop.object_ref.api_version
  kind           = k8sconnect_manifest.shop.object_ref.kind
  namespace      = k8sconnect_manifest.shop.object_ref.namespace
  name           = k8sconnect_manifest.shop.object_ref.name
  include_status = true
}

locals {
  # The live values by path: what somebody owns, and what only the API server filled in.
  shop = merge(
    { for field in data.k8sconnect_field_ownership.shop.unowned : field.path => field.value },
    { for field in data.k8sconnect_field_ownership.shop.fields : field.path => field.value },
  )
}

output "cluster_ip" {
  value = local.shop["spec.clusterIP"]
}

# Null until the load balancer has an address. A list that has one owner as a whole is JSON.
output "address" {
  value = try(jsondecode(local.shop["status.loadBalancer.ingress"])[0].ip, null)
}
