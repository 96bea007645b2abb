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
      name: shop
      namespace: default
    spec:
      type: NodePort
      sessionAffinity: None
      selector:
        app: shop
      ports:
        - name: http
          port: 80
  YAML

  # Initialized: the Service starts without session affinity, and operators may switch it on.
  ignore_fields = ["spec.sessionAffinity"]

  # Pinned: the API server chooses the address and the node port, once.
  pin_fields = ["spec.clusterIP", "spec.ports[port=80].nodePort"]

  # Counted: another team may add one port of its own.
  list_lengths = {
    "spec.ports" = { min = 1, max = 2 }
  }
}

output "node_port" {
  value = one([for path, value in k8sconnect_manifest.shop.pinned : value if endswith(path, ".nodePort")])
}
