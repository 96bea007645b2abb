data "k8sconnect_field_ownership" "dns" {
  api_version = "v1"
  kind        = "ConfigMap"
  namespace   = "kube-system"
  name        = "coredns"
}

# terraform output -raw owners
output "owners" {
  value = data.k8sconnect_field_ownership.dns.annotated_yaml
}

# What somebody wrote with kubectl, by path.
output "written_by_hand" {
  value = {
    for field in data.k8sconnect_field_ownership.dns.fields : field.path => field.value
    if anytrue([for owner in field.owners : startswith(owner.manager, "kubectl")])
  }
}
