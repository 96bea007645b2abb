variable "endpoint" { type = string }
variable "certificate_authority" { type = string }

provider "k8sconnect" {
  cluster = {
    host                   = var.endpoint
    cluster_ca_certificate = var.certificate_authority
    exec = {
      api_version = "client.authentication.k8s.io/v1beta1"
      command     = "gke-gcloud-auth-plugin"
    }
  }
}
