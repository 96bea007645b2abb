terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

provider "k8sconnect" {} # the cluster comes from KUBE_CONFIG_PATH

variable "namespace" {
  type = string
}
