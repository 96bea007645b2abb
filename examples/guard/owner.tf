resource "k8sconnect_manifest" "api" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: api
      namespace: default
    spec:
      replicas: 3
      selector:
        matchLabels:
          app: api
      template:
        metadata:
          labels:
            app: api
        spec:
          containers:
            - name: app
              image: nginx:1.29
  YAML

  lifecycle {
    # An error: this configuration must be the one that sets the number of replicas.
    postcondition {
      condition     = try(self.field_ownership["spec.replicas"], "nobody") == "k8sconnect"
      error_message = "spec.replicas belongs to ${try(self.field_ownership["spec.replicas"], "nobody")}."
    }
  }
}
