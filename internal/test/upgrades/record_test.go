package upgrades

import (
	"cmp"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

var (
	version  = flag.String("version", "", "record the states of a version into this folder of testdata, with -provider")
	provider = flag.String("provider", "", "the path of that version's terraform-provider-k8sconnect")
)

// TestRecord writes a recording, with the flags that the package's comment has.
func TestRecord(t *testing.T) {
	if *version == "" {
		t.Skip("records with -version NAME -provider PATH only")
	}
	r := recording{filepath.Join("testdata", *version)}
	if _, err := os.Stat(filepath.Join(r.dir, stateFile)); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("%s has a recording (%v); a version is recorded once", r.dir, err)
	}
	path, err := filepath.Abs(*provider)
	story.Must(t, err)
	api, work := newClient(t), workdirFor(t, path)
	for manager, objects := range r.byManager(t, "before") {
		for _, object := range objects {
			story.Must(t, api.Create(t.Context(), object, client.FieldOwner(manager)))
		}
	}
	story.Must(t, work.Write(string(r.read(t, configurationFile))))
	expect(t, work, 0, "Apply complete", "apply", "-auto-approve")
	for manager, objects := range r.byManager(t, "others") {
		for _, object := range objects {
			story.Must(t, api.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(object), client.FieldOwner(manager), client.ForceOwnership))
		}
	}
	expect(t, work, 0, "Apply complete", "apply", "-auto-approve")
	expect(t, work, 0, "No changes", "plan", "-detailed-exitcode")
	r.keep(t, api, work.Dir)
}

// keep copies the state, and the objects that it names.
func (r recording) keep(t *testing.T, api client.Client, dir string) {
	t.Helper()
	state, err := os.ReadFile(filepath.Join(dir, "terraform.tfstate"))
	story.Must(t, err)
	var objects []*unstructured.Unstructured
	for _, id := range stateOf(t, state) {
		live, err := get(t, api, id)
		if apierrors.IsNotFound(err) && id.Kind == "Job" {
			continue // The state keeps a Job that was complete.
		}
		story.Must(t, err)
		objects = append(objects, live)
	}
	slices.SortFunc(objects, func(a, b *unstructured.Unstructured) int {
		return cmp.Or(cmp.Compare(stage(a), stage(b)), cmp.Compare(a.GetKind(), b.GetKind()), cmp.Compare(a.GetName(), b.GetName()))
	})
	r.write(t, objectsFile, objects)
	r.write(t, originFile, origin{
		Provider: filepath.Base(r.dir), Kubernetes: story.ControlPlane().Version(), Cluster: clusterUID(t, api),
	})
	story.Must(t, os.WriteFile(filepath.Join(r.dir, stateFile), state, 0o600))
}

// stage puts first what other objects need.
func stage(object *unstructured.Unstructured) int {
	switch object.GetKind() {
	case "Namespace":
		return 1
	case "CustomResourceDefinition":
		return 2
	}
	return 3
}
