# Reads the output of "terraform show -json PLAN". Prints a line for each field that an apply takes from
# another manager, or that another manager took; prints nothing where none does.
.resource_changes[]
| select(.type == "k8sconnect_manifest" and .change.before != null and .change.after != null)
| .address as $address
| (.change.before.field_ownership // {}) as $before
| (.change.after.field_ownership // {}) as $after
| $before | to_entries[]
| select($after[.key] != null and $after[.key] != .value)
| "\($address): \(.key) goes from \(.value) to \($after[.key])"
