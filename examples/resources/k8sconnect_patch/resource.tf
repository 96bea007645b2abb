resource "k8sconnect_patch" "aws_node" {
  target = {
    api_version = "apps/v1"
    kind        = "DaemonSet"
    namespace   = "default"
    name        = "aws-node"
  }

  yaml_body = <<-YAML
    spec:
      template:
        spec:
          containers:
            - name: aws-node
              env:
                - name: ENABLE_PREFIX_DELEGATION
                  value: "true"
  YAML

  remove_fields = ["metadata.annotations[\"eks.amazonaws.com/compute-type\"]"]
}
