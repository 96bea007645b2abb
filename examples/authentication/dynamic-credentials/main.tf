variable "endpoint" { type = string }
variable "certificate_authority" { type = string }

# The run of HCP Terraform has the token, in KUBE_TOKEN.
provider "k8sconnect" {
  cluster = {
    host                   = var.endpoint
    cluster_ca_certificate = var.certificate_authority
  }
}
