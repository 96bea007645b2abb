locals {
  # kubectl get service web -o yaml --show-managed-fields > web.yaml
  owners = provider::k8sconnect::parse_managed_fields(file("${path.module}/web.yaml"))
}

# The fields that more than one manager owns, with the names of all.
output "shared" {
  value = {
    for path, owners in local.owners : path => owners[*].manager
    if length(owners) > 1
  }
}
