terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 7.0"
    }
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

variable "cluster_name" { type = string }
variable "project" { type = string }
variable "region" { type = string }

provider "google" {
  project = var.project
  region  = var.region
}

# Autopilot: GKE adds nodes when pods need them.
resource "google_container_cluster" "shop" {
  name             = var.cluster_name
  location         = var.region
  enable_autopilot = true

  # terraform destroy may delete the cluster.
  deletion_protection = false
}

# A token of the provider google, valid for an hour. No state contains it.
ephemeral "google_client_config" "shop" {}
