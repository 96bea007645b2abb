# Nothing is created before the other team's Deployment is rolled out.
resource "k8sconnect_manifest" "client" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: pilot
      namespace: default
    data:
      server: harbour
  YAML

  lifecycle {
    action_trigger {
      events  = [before_create]
      actions = [action.k8sconnect_wait.harbour]
    }
  }
}

action "k8sconnect_wait" "harbour" {
  config {
    target = {
      api_version = "apps/v1"
      kind        = "Deployment"
      namespace   = "default"
      name        = "harbour"
    }

    timeouts {
      invoke = "5m"
    }
  }
}
