# What a plan must not do to the objects and fields of a cluster, for conftest and OPA:
#
#   terraform show -json plan.bin > plan.json
#   conftest test plan.json --policy k8sconnect.rego
#
# A saved plan has attributes and no warnings. An apply whose conflicts are not known is a warn. For all of it, give the plan and its log to "terraform-provider-k8sconnect report --fail-on RULE plan.json plan.jsonl".
package main

# Managers that must not lose a field; * stands for any characters.
protected_managers := ["kube-controller-manager", "*-autoscaler", "vpa-*"]

# Kinds whose objects must not be deleted or replaced.
protected_kinds := ["PersistentVolumeClaim", "PersistentVolume", "Namespace", "CustomResourceDefinition"]

deny contains message if {
	some loss in losses
	some pattern in protected_managers
	glob.match(pattern, null, loss.owner)
	message := sprintf("%s: %s would lose %s", [loss.address, loss.owner, loss.field])
}

deny contains message if {
	some deletion in deletions
	deletion.kind in protected_kinds
	message := sprintf("%s: %s %s would be deleted", [deletion.address, deletion.kind, deletion.name])
}

deny contains "the plan failed, so nobody knows what an apply would do" if input.errored

# A file without a plan, such as the state that "terraform show -json" prints.
deny contains "this is no plan: write terraform show -json PLANFILE" if {
	not input.resource_changes
	not input.planned_values
	not input.errored
}

warn contains message if {
	some change in changes
	unseen(change)
	message := sprintf("%s: only the log of the plan says which fields its apply takes from others", [change.address])
}

changes contains change if {
	some change in input.resource_changes
	change.mode == "managed"
	change.type in ["k8sconnect_manifest", "k8sconnect_patch", "k8sconnect_manifests"]
}

# losses are the fields that the apply takes or removes from other managers.
losses contains {"address": change.address, "owner": owner, "field": field} if {
	some change in changes
	change.type != "k8sconnect_manifests"
	change.change.actions != ["no-op"]
	some field, conflict in change.change.after.conflicts
	some owner, _ in conflict.owners
}

losses contains {"address": sprintf("%s[%q]", [change.address, key]), "owner": owner, "field": field} if {
	some change in changes
	change.type == "k8sconnect_manifests"
	change.change.actions != ["no-op"]
	some key, conflicts in change.change.after.conflicts
	some field, conflict in conflicts
	some owner, _ in conflict.owners
}

# deletions are the objects that the apply deletes. A replacement deletes, too.
deletions contains {"address": change.address, "kind": of.kind, "name": of.name} if {
	some change in changes
	change.type == "k8sconnect_manifest"
	"delete" in change.change.actions
	before := change.change.before
	not stays(change, [object.get(before, "yaml_body", null), object.get(before, "manifest", null)])
	of := before.object_ref
}

deletions contains {"address": sprintf("%s[%q]", [change.address, key]), "kind": kind, "name": name} if {
	some change in changes
	change.type == "k8sconnect_manifests"
	some key, of in change.change.before.objects
	leaves(change, key)
	not stays(change, [object.get(change.change.before, [attribute, key], null) | some attribute in ["manifests", "secret_manifests"]])
	kind := regex.find_all_string_submatch_n(`kind=([^,]+)`, of.id, 1)[0][1]
	name := regex.find_all_string_submatch_n(`name=([^,]+)`, of.id, 1)[0][1]
}

# stays is true if an object stays on the cluster when its resource gives it up: by on_destroy, else by that of a rule of the last apply, else
# by the annotation of Helm. manifests are those that the state may have of it.
stays(change, manifests) if {
	ruled := object.get(change.change.before, ["rules_applied", "on_destroy"], null)
	policies := [policy | some policy in [own(change), ruled, kept(manifests)]; policy != null]
	policies[0] in ["release", "hand_over"]
}

# A set that stays ends objects as its configuration says, and a destroy as the state does.
own(change) := object.get(change.change.after, "on_destroy", null) if change.change.actions == ["update"]

own(change) := object.get(change.change.before, "on_destroy", null) if change.change.actions != ["update"]

default kept(_) := null

kept(manifests) := "release" if {
	some manifest in manifests
	lower(trim_space(parsed(manifest).metadata.annotations["helm.sh/resource-policy"])) == "keep"
}

parsed(manifest) := yaml.unmarshal(manifest) if is_string(manifest)

parsed(manifest) := manifest if is_object(manifest)

leaves(change, _) if "delete" in change.change.actions

# An object of a set stays in it under any key, and is deleted if a new one gets its name. If its manifest is not known, nor is that.
leaves(change, key) if {
	after := change.change.after.objects
	not change.change.after_unknown.objects[key].id == true
	not unversioned(change.change.before.objects[key].id) in {unversioned(of.id) | some of in after; of.uid}
}

unversioned(id) := regex.replace(id, `apiVersion=([^/,]*/)?[^,]*`, "$1")

# unseen is true for an apply whose conflicts the plan does not know: adoptions, and first applies of patches.
unseen(change) if {
	change.change.actions != ["no-op"]
	change.change.after_unknown.conflicts == true
}
