resource "k8sconnect_manifest" "autoscaler" {
  yaml_body = <<-YAML
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata:
      name: web
      namespace: ${var.namespace}
    spec:
      scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
      minReplicas: 4
      maxReplicas: 8
  YAML
}
