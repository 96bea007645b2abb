terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

# The apply ends when the rollout is done.
resource "k8sconnect_manifest" "checkout" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: checkout
      namespace: default
    spec:
      replicas: 2
      selector:
        matchLabels:
          app: checkout
      template:
        metadata:
          labels:
            app: checkout
        spec:
          containers:
            - name: checkout
              image: registry.example/checkout:1
  YAML

  wait    = {}
  exports = { available = "status.availableReplicas" }
}

# A failure is reported and taints nothing. The postcondition blocks what depends on the Job.
resource "k8sconnect_manifest" "migration" {
  yaml_body = <<-YAML
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: migration
      namespace: default
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: migration
              image: registry.example/migration:1
  YAML

  wait = {
    conditions = { Complete = "True" }
    on_failure = "report"
  }

  lifecycle {
    postcondition {
      condition     = self.ready
      error_message = "The migration has not finished."
    }
  }
}
