import {
  to = k8sconnect_manifests.adopted
  id = "manager=kubectl,namespace=shop"
}

resource "k8sconnect_manifests" "adopted" {
  manifests = {
    "core/ConfigMap/shop/settings" = <<-YAML
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: settings, namespace: shop}
      data: {colour: red}
    YAML
  }
}
