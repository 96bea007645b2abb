package story

import "strings"

// Arguments of a resource.
const (
	// Adopting lets a new resource adopt an existing object.
	Adopting = "adopt_existing = true"
	// OrFail fails a plan that has conflicts.
	OrFail = `on_conflict = "fail"`
	// Protected protects the object from deletion.
	Protected = "delete_protection = true"
	// IgnoreReplicas leaves the replicas of a Deployment to other managers.
	IgnoreReplicas = `ignore_fields = ["spec.replicas"]`
	// IgnoreImage leaves the image of the Deployment web to other managers.
	IgnoreImage = `ignore_fields = ["spec.template.spec.containers[name=\"app\"].image"]`
)

// IgnoringPath returns an ignore_fields line with one path.
func IgnoringPath(path string) string {
	return `ignore_fields = ["` + strings.ReplaceAll(path, `"`, `\"`) + `"]`
}
