terraform {
  required_providers {
    k8sconnect = {
      source  = "k8sconnect/k8sconnect"
      version = "~> 0.1.0"
    }
  }
}

provider "k8sconnect" {
  cluster = {
    config_path = "~/.kube/config"
    context     = "production"
  }
}
