resource "k8sconnect_manifest" "web" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: web
      namespace: default
    spec:
      replicas: 3
      selector:
        matchLabels:
          app: web
      template:
        metadata:
          labels:
            app: web
        spec:
          containers:
            - name: app
              image: nginx:1.29
  YAML

  timeouts {
    create = "5m"
  }
}

output "owner_of_replicas" {
  value = k8sconnect_manifest.web.field_ownership["spec.replicas"]
}
