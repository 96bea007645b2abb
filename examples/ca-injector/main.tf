terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifest" "webhook" {
  yaml_body = <<-YAML
    apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingWebhookConfiguration
    metadata:
      name: widgets.example.com
      annotations:
        cert-manager.io/inject-ca-from: default/widgets
    webhooks:
      - name: check.widgets.example.com
        admissionReviewVersions: [v1]
        sideEffects: None
        failurePolicy: Ignore
        clientConfig:
          service:
            name: widgets
            namespace: default
          caBundle: Cg==
        rules:
          - apiGroups: [widgets.example.com]
            apiVersions: [v1]
            operations: [CREATE, UPDATE]
            resources: [widgets]
  YAML

  # The bundle in the manifest is sent once, when the object is created; the CA injector writes the real one.
  ignore_fields = ["webhooks[*].clientConfig.caBundle"]
}
