terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifest" "namespace" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: Namespace
    metadata:
      name: weather
  YAML
}

resource "k8sconnect_manifest" "definition" {
  yaml_body = <<-YAML
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata:
      name: forecasts.weather.example.com
    spec:
      group: weather.example.com
      scope: Namespaced
      names:
        kind: Forecast
        plural: forecasts
        singular: forecast
      versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  properties:
                    city:
                      type: string
                    days:
                      type: integer
  YAML
}

# Planned before its kind and its namespace exist; the apply waits until both do.
resource "k8sconnect_manifest" "forecast" {
  yaml_body = <<-YAML
    apiVersion: weather.example.com/v1
    kind: Forecast
    metadata:
      name: tomorrow
      namespace: weather
    spec:
      city: Bern
      days: 1
  YAML

  depends_on = [
    k8sconnect_manifest.namespace,
    k8sconnect_manifest.definition,
  ]
}
