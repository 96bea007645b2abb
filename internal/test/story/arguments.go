package story

import "strings"

// Arguments of a resource.
const (
	// Adopting lets a new resource take an object that exists.
	Adopting = "adopt_existing = true"
	// OrFail ends a plan with its conflicts.
	OrFail = `on_conflict = "fail"`
	// Protected refuses to delete the object.
	Protected = "delete_protection = true"
	// IgnoreReplicas leaves the replicas of a Deployment to others.
	IgnoreReplicas = `ignore_fields = ["spec.replicas"]`
	// IgnoreImage leaves the image of the Deployment web to others.
	IgnoreImage = `ignore_fields = ["spec.template.spec.containers[name=\"app\"].image"]`
)

// IgnoringPath returns an ignore_fields line with one path.
func IgnoringPath(path string) string {
	return `ignore_fields = ["` + strings.ReplaceAll(path, `"`, `\"`) + `"]`
}
