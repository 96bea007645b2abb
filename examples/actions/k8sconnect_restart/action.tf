resource "k8sconnect_manifest" "config" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: lighthouse
      namespace: default
    data:
      colour: white
  YAML

  # The pods read the ConfigMap when they start.
  lifecycle {
    action_trigger {
      events  = [after_update]
      actions = [action.k8sconnect_restart.lighthouse]
    }
  }
}

resource "k8sconnect_manifest" "lighthouse" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: lighthouse
      namespace: default
    spec:
      replicas: 2
      selector:
        matchLabels: {app: lighthouse}
      template:
        metadata:
          labels: {app: lighthouse}
        spec:
          containers:
            - name: lamp
              image: registry.example.com/lamp:2
              envFrom:
                - configMapRef: {name: lighthouse}
  YAML
}

action "k8sconnect_restart" "lighthouse" {
  config {
    target = k8sconnect_manifest.lighthouse.object_ref
  }
}
