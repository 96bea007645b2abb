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
    # A plan fails that takes a field from somebody, or that finds a field which somebody has added.
    { kinds = ["*"], on_conflict = "fail", on_addition = "fail" },
    # Controllers that write into these objects: autoscalers, and cert-manager's CA injector.
    { kinds = ["*"], ignore_managers = ["kube-controller-manager", "cert-manager-cainjector"] },
    # What holds data, or other objects, goes in two steps.
    { kinds = ["Namespace", "PersistentVolumeClaim", "CustomResourceDefinition"], delete_protection = true },
    # Where people try things, a warning is enough.
    { namespaces = ["*-test"], on_conflict = "force", on_addition = "warn" },
  ]
}

resource "k8sconnect_manifest" "ledger" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: ledger
      namespace: default
    spec:
      replicas: 2
      selector:
        matchLabels: {app: ledger}
      template:
        metadata:
          labels: {app: ledger}
        spec:
          containers:
            - name: app
              image: nginx:1.29
  YAML
}
