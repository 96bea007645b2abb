terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {
  rules = [
    # Autoscalers own the replicas that they set.
    { kinds = ["Deployment", "StatefulSet"], ignore_managers = ["kube-controller-manager"] },
    # cert-manager and operators write their certificates into these.
    {
      kinds         = ["*WebhookConfiguration", "CustomResourceDefinition"]
      ignore_fields = ["webhooks[*].clientConfig.caBundle", "spec.conversion.webhook.clientConfig.caBundle"]
    },
    # In production, a plan that takes a field of somebody else fails.
    { namespaces = ["default", "prod-*"], on_conflict = "fail" },
    # Here a test may change anything.
    { namespaces = ["default", "prod-*"], names = ["*-test"], on_conflict = "force" },
  ]
}

resource "k8sconnect_manifest" "ruled" {
  for_each = toset(["ruled", "ruled-test"])

  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: ${each.key}
      namespace: default
    spec:
      replicas: 2
      selector:
        matchLabels:
          app: ${each.key}
      template:
        metadata:
          labels:
            app: ${each.key}
        spec:
          containers:
            - name: app
              image: nginx:1.29
  YAML
}
