package reading

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// A kind that no API server serves may be mistyped, or be one of an API server that does not answer.
func TestUnlisted(t *testing.T) {
	t.Parallel()
	err := &listing.UnknownKindsError{Kind: "Servce", Unanswered: []string{"example.com/v1"}}
	const want = "kinds: the cluster serves no kind Servce whose objects can be listed and applied. What is in example.com/v1 is not known, " +
		"because its API server does not answer.\n\nCorrect the kind, or repair the API server that does not answer:\n\n  kubectl get apiservice v1.example.com"
	if got := Unlisted(diagnostics.Names{}, manifest.Identity{}, err); got.Detail() != want {
		t.Errorf("got  %s\nwant %s", got.Detail(), want)
	}
}
