resource "k8sconnect_manifest" "worker" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: worker
      namespace: default
    spec:
      selector:
        matchLabels:
          app: worker
      template:
        metadata:
          labels:
            app: worker
        spec:
          containers:
            - name: app
              image: nginx:1.29
  YAML

  ignore_fields = ["spec.template.spec.containers[name=\"app\"].image"]

  lifecycle {
    # An error: the image is left to the release pipeline, and to nobody else.
    postcondition {
      condition = contains(["nobody", "release-bot"], lookup(
        self.field_ownership, "spec.template.spec.containers[name=\"app\"].image", "nobody",
      ))
      error_message = "The image was set by something other than release-bot."
    }
  }
}
