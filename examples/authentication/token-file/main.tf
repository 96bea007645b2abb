variable "endpoint" { type = string }
variable "certificate_authority" { type = string }
variable "token_file" { type = string }

provider "k8sconnect" {
  cluster = {
    host                   = var.endpoint
    cluster_ca_certificate = var.certificate_authority
    token_file             = var.token_file
  }
}
