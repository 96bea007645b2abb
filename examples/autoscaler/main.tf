terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifest" "web" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: autoscaled
      namespace: default
    spec:
      replicas: 3
      selector:
        matchLabels:
          app: autoscaled
      template:
        metadata:
          labels:
            app: autoscaled
        spec:
          containers:
            - name: app
              image: nginx:1.29
              resources:
                requests:
                  cpu: 100m
  YAML

  # The Deployment starts with 3 replicas; from then on the number belongs to the autoscaler.
  ignore_fields = ["spec.replicas"]
}

resource "k8sconnect_manifest" "autoscaler" {
  yaml_body = <<-YAML
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata:
      name: autoscaled
      namespace: default
    spec:
      minReplicas: 5
      maxReplicas: 9
      scaleTargetRef:
        apiVersion: apps/v1
        kind: Deployment
        name: ${k8sconnect_manifest.web.object_ref.name}
      metrics:
        - type: Resource
          resource:
            name: cpu
            target:
              type: Utilization
              averageUtilization: 70
  YAML
}
