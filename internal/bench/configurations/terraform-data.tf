resource "terraform_data" "object" {
  for_each = fileset(path.module, "manifests/*.yaml")
  input    = file("${path.module}/${each.value}")
}
