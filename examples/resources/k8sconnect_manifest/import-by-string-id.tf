import {
  to = k8sconnect_manifest.settings
  id = "apiVersion=v1,kind=ConfigMap,namespace=default,name=settings"
}

resource "k8sconnect_manifest" "settings" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: settings
      namespace: default
    data:
      colour: red
  YAML
}
