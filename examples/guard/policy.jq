# Reads what "terraform show -json PLAN" prints. Fails, naming the fields, where an apply takes a field from another manager or removes
# it. An adoption and the first apply of a patch fail, too: only the warnings of their plans say what they take. So does a plan that failed,
# and a file that is no plan, such as a state.
[
  (select(.errored) | "the plan failed, so nobody knows what an apply would do"),
  (select(.resource_changes == null and .planned_values == null) | "this is no plan: write terraform show -json PLANFILE"),
  (.resource_changes[]?
  | select(.type | test("^k8sconnect_(manifest|manifests|patch)$"))
  | select(.change.actions != ["no-op"])
  | .address as $address
  | (.change.after.conflicts // {}) as $conflicts
  | (
      ($conflicts | paths(type == "object" and has("owners"))) as $field
      | $conflicts | getpath($field).owners | keys[]
      | "\($address): \(.) would lose \($field | join(": "))"
    ),
    (select(.change.after_unknown.conflicts == true) | "\($address): the saved plan does not know its conflicts"))
]
| if . == [] then "no manager loses a field" else join("\n") + "\n" | halt_error(1) end
