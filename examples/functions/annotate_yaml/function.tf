# kubectl get service web -o yaml --show-managed-fields > web.yaml
# terraform output -raw owners
output "owners" {
  value = provider::k8sconnect::annotate_yaml(file("${path.module}/web.yaml"))
}
