package acceptance_test

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Terraform composes the characters of every string, and the API server does not. Values, keys and members of sets that
// are not composed are no changes of others, and the paths that the provider prints lead to them.
func TestTextThatIsNotComposed(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	w := s.HostedWorkspace()
	gadget := func(note, free, size string) string {
		return story.Gadget(`note: "` + note + `", free: {"e\u0301": "` + free + `", "é": b}, colours: ["e\u0301", "é"], size: ` + size)
	}
	for _, size := range []string{"1", "2"} {
		w.Configure(s.Manifest("test", gadget(`e\u0301`, `e\u0301`, size)))
		if out := w.Do("apply", "-auto-approve"); strings.Contains(out, "Object Changed") || strings.Contains(out, "Field Ownership") {
			t.Errorf("the apply says:\n%s", out)
		}
		w.Do("plan", "-detailed-exitcode")
	}
	if out := w.Do("state", "show", "k8sconnect_manifest.test"); !strings.Contains(out, `spec.free[\"e\\u0301\"]`) || !strings.Contains(out, `spec.colours[=\"e\\u0301\"]`) {
		t.Errorf("the state has\n%s", out)
	}
	s.As("kubectl-edit").Patch(s.GadgetTarget(), `{"spec":{"note":"é"}}`)
	if out := w.Do("plan"); !strings.Contains(out, `"\u00e9" -> "e\u0301"`) {
		t.Errorf("a value that looks alike:\n%s", out)
	}
	w.Configure(s.Manifest("test", gadget(`e\u0301`, "other", "2"), `ignore_fields = ["spec.note", "spec.free[\"e\\u0301\"]"]`))
	if out := w.Do("plan"); strings.Contains(out, "Ignored Field") {
		t.Errorf("the printed path:\n%s", out)
	}
	w.Do("apply", "-auto-approve")
	story.Must(t, s.ExpectLiveJSON(s.GadgetTarget(), "{\"e\u0301\":\"e\u0301\",\"\u00e9\":\"b\"}", "spec", "free")(nil))
}
