terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

resource "k8sconnect_manifests" "buoys" {
  manifests = provider::k8sconnect::documents(file("${path.module}/install.yaml"), { namespace = "buoys", format = "json" })

  # Arguments for some of the objects.
  rules = [
    { kinds = ["*WebhookConfiguration"], ignore_fields = ["webhooks[*].clientConfig.caBundle"] },
  ]
}
