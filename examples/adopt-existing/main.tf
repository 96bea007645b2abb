terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

# The Deployment exists on some clusters and not on others. Where it does, the plan lists what the apply takes.
resource "k8sconnect_manifest" "inherited" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: inherited
      namespace: default
    spec:
      replicas: 4
      selector:
        matchLabels:
          app: inherited
      template:
        metadata:
          labels:
            app: inherited
        spec:
          containers:
            - name: app
              image: nginx:1.29
  YAML

  adopt_existing = true
}
