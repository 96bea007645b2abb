package unready

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
)

func TestHookFailedSaysWhatBecomesOfIt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		removed, interrupted bool
		want                 string
	}{
		{false, false, "It goes on."},
		{true, false, "Its policy hook-failed deletes it."},
		{true, true, "It goes on."},
	} {
		text := HookFailed("pre-install", &waiting.NotReadyError{Interrupted: test.interrupted}, test.removed).Detail()
		if !strings.Contains(text, test.want) {
			t.Errorf("%q is not in:\n%s", test.want, text)
		}
	}
}

// An error about a request for a hook says which hook it is, if it begins with the object.
func TestOfHook(t *testing.T) {
	t.Parallel()
	id := manifest.Identity{APIVersion: "v1", Kind: "ServiceAccount", Namespace: "qa", Name: "shop"}
	for text, want := range map[string]string{
		id.String() + " could not be created.": "The pre-install hook " + id.String() + " could not be created.",
		"The cluster does not answer.":         "The cluster does not answer.",
	} {
		if got := OfHook("pre-install", id, diag.NewErrorDiagnostic("Namespace Not Found", text)); got.Detail() != want {
			t.Errorf("%s: %s", text, got.Detail())
		}
	}
}
