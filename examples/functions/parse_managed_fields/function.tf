locals {
  # kubectl get service web -o json --show-managed-fields > web.json
  owners = provider::k8sconnect::parse_managed_fields(file("${path.module}/web.json"))
}

# The fields that more than one manager owns, with the names of all.
output "shared" {
  value = {
    for path, owners in local.owners : path => owners[*].manager
    if length(owners) > 1
  }
}
