package examples_test

import (
	"path/filepath"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/kubernetesstub"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// planMoving is a Node that another provider's resource has labelled before a moved block makes a patch of it.
func planMoving(e *example) {
	const labels = `apiVersion: v1
kind: Node
metadata: {name: gpu-1, labels: {example.com/pool: gpu, example.com/team: research}}
`
	stub, err := kubernetesstub.Serve(e.T, kubernetesstub.Kubernetes)
	story.Must(e.T, err)
	e.Env = append(e.Env, stub)
	e.createBefore()
	e.As("Terraform").Apply(labels)
	main := filepath.Join(e.Dir, "main.tf")
	arrived := read(e.T, main)
	write(e.T, main, `
resource "kubernetes_labels" "worker" {
  api_version = "v1"
  kind        = "Node"
  metadata {
    name = "gpu-1"
  }
  labels = { "example.com/pool" = "gpu", "example.com/team" = "research" }
}
`)
	e.apply()
	write(e.T, main, arrived)
	e.shows("moving", story.Changes)
	e.apply()
	e.plan(story.Nothing)
}
