# Reads what "terraform show -json PLAN" prints. Fails, naming the fields, where an apply takes a field
# from a manager other than the resource's own; what take_over_managers lose counts. Objects that are created, replaced or deleted pass.
def owners($field): .co_owners[$field] // [.field_ownership[$field] // empty];

[
  .resource_changes[]?
  | select(.type == "k8sconnect_manifest" and .change.actions == ["update"])
  | .address as $address
  | .change.before as $before
  | .change.after as $after
  | select($after.field_ownership != null)
  | $before.field_ownership | keys[] as $field
  | (($before | owners($field)) - ($after | owners($field)) - [$before.field_manager, $after.field_manager])[] as $loser
  | "\($address): \($loser) would lose \($field)"
]
| if . == [] then "no manager loses a field" else join("\n") + "\n" | halt_error(1) end
