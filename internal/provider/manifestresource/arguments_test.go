package manifestresource_test

import "strings"

// Arguments of a resource.
const (
	// adopting lets a new resource take an object that exists.
	adopting = "adopt_existing = true"
	// orFail ends a plan with its conflicts.
	orFail = `on_conflict = "fail"`
	// protected refuses to delete the object.
	protected = "delete_protection = true"
	// ignoreReplicas leaves the replicas of a Deployment to others.
	ignoreReplicas = `ignore_fields = ["spec.replicas"]`
	// ignoreImage leaves the image of the Deployment web to others.
	ignoreImage = `ignore_fields = ["spec.template.spec.containers[name=\"app\"].image"]`
)

// ignoringPath returns an ignore_fields line with one path.
func ignoringPath(path string) string {
	return `ignore_fields = ["` + strings.ReplaceAll(path, `"`, `\"`) + `"]`
}
