terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

# The cluster removes the Job a minute after its end. It stays done, and another image runs it again.
resource "k8sconnect_manifest" "schema" {
  yaml_body = <<-YAML
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: schema
      namespace: default
    spec:
      ttlSecondsAfterFinished: 60
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: schema
              image: registry.example/schema:1
  YAML

  wait = {}
  once = true
}
