locals {
  # Null without K8SCONNECT_SCHEMAS: then nothing is checked.
  problems = coalesce(provider::k8sconnect::problems(file("${path.module}/install.yaml")), [])
}

check "manifests" {
  assert {
    condition     = length(local.problems) == 0
    error_message = join("\n", [for p in local.problems : "line ${p.line}: ${p.path}: ${p.message}"])
  }
}
