terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifest" "forms" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: forms
      namespace: default
      annotations:
        example.com/note: written once
        example.com/owner: payments
    spec:
      replicas: 2
      selector:
        matchLabels:
          app: forms
      template:
        metadata:
          labels:
            app: forms
        spec:
          containers:
            - name: app
              image: nginx:1.29
              args: ["nginx", "-g", "daemon off;"]
              ports:
                - containerPort: 8080
                  name: http
              env:
                - name: LEVEL
                  value: info
              resources:
                requests:
                  cpu: 100m
            - name: proxy
              image: envoy:1.36
              resources:
                requests:
                  cpu: 50m
  YAML

  ignore_fields = [
    "spec.replicas",
    "metadata.annotations[\"example.com/note\"]",
    "spec.template.spec.containers[name=\"app\"].image",
    "spec.template.spec.containers[name=app].env[name=LEVEL].value",
    "spec.template.spec.containers[0].args",
    "spec.template.spec.containers[*].resources",
    "spec.template.spec.containers[name=\"app\"].ports[containerPort=8080,protocol=\"TCP\"].name",
  ]
}
