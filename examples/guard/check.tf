# A warning: somebody edits these objects by hand.
check "no_manual_edits" {
  assert {
    condition = alltrue([
      for owner in values(k8sconnect_manifest.api.field_ownership) : !startswith(owner, "kubectl")
    ])
    error_message = "kubectl owns ${join(", ", [
      for field, owner in k8sconnect_manifest.api.field_ownership : field if startswith(owner, "kubectl")
    ])}."
  }
}
