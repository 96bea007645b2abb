terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifest" "report" {
  yaml_body = <<-YAML
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: report
      namespace: default
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: app
              image: busybox:1.37
              command: ["true"]
  YAML

  # The destroy is done when the pods are gone too.
  delete_propagation = "Foreground"

  # The provider removes finalizers that block the deletion of the Job longer than this.
  force_destroy = true
  timeouts {
    delete = "5m"
  }
}

resource "k8sconnect_manifest" "ledger" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ledger
      namespace: default
    data:
      entries: "0"
  YAML

  # With true, plans that delete or replace the object are refused.
  delete_protection = false
}
