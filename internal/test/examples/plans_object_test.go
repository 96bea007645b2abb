package examples_test

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"

// planObjectManifest creates an object with a value that is not known yet, and changes one value, which another client
// has changed.
func planObjectManifest(e *example) {
	e.says(e.plan(story.Changes), `"example.com/role" = (known after apply)`, `+ "spec.replicas"`, `image = "registry.example.com/orders:1.4.2"`, "Plan: 2 to add, 0 to change, 0 to destroy.")
	e.apply(deployment("orders"))
	e.As("kubectl-edit").Patch(deployment("orders"), `{"spec": {"replicas": 4}}`)
	e.configure("orders:1.4.2", "orders:1.5.0")
	e.says(e.plan(story.Changes), `~ image = "registry.example.com/orders:1.4.2" -> "registry.example.com/orders:1.5.0" name = "app"`,
		`spec.replicas: "4" -> "2", owned by "kubectl-edit"`)
	e.apply()
	e.plan(story.Nothing)
}
