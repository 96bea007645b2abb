terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifest" "gate" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: Service
    metadata:
      name: gate
      namespace: default
    spec:
      type: NodePort
      selector:
        app: gate
      ports:
        - name: http
          port: 80
  YAML

  # Another text here pins the value that the port has then.
  pin_fields = ["spec.ports[port=80].nodePort"]
  repin      = "2026-11"
}
