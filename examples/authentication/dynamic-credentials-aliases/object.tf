resource "k8sconnect_manifest" "hello" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: hello
      namespace: default
    data:
      text: Hello
  YAML
}
