package upgrades

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// TestUpgrade continues with the state of each recorded version.
func TestUpgrade(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	path, err := workdir.Shared()
	story.Must(t, err)
	for _, r := range recordings(t) {
		t.Run("from "+filepath.Base(r.dir), func(t *testing.T) { r.upgrade(t, path) })
	}
}

func (r recording) upgrade(t *testing.T, path string) {
	t.Helper()
	api, work := newClient(t), workdirFor(t, path)
	var from origin
	story.Must(t, json.Unmarshal(r.read(t, originFile), &from))
	pairs := []string{from.Cluster, clusterUID(t, api)}
	if work.CLI.Product == testcluster.ProductOpenTofu {
		pairs = append(pairs, "registry.terraform.io", "registry.opentofu.org")
	}
	for _, object := range r.objects(t) {
		pairs = append(pairs, string(object.GetUID()), string(restore(t, api, object)))
	}
	state := r.read(t, stateFile)
	adapted := replaceNested(t, state, strings.NewReplacer(pairs...))
	story.Must(t, os.WriteFile(filepath.Join(work.Dir, "terraform.tfstate"), adapted, 0o600))
	story.Must(t, work.Write(string(r.read(t, configurationFile))))

	expect(t, work, 0, "No changes", "plan", "-detailed-exitcode")
	expect(t, work, 0, "Resources: 0 added", "apply", "-auto-approve", "-var", "value=2")
	expect(t, work, 0, "No changes", "plan", "-detailed-exitcode", "-var", "value=2")
	for uid, id := range stateOf(t, adapted) {
		expectKept(t, api, id, uid)
	}
	expect(t, work, 0, "Destroy complete", "destroy", "-auto-approve", "-var", "value=2")
	for _, id := range stateOf(t, state) {
		expectNoClaim(t, api, id)
	}
}

// expectKept holds an object to be the one that was restored. A Job that was complete and gone is still so.
func expectKept(t *testing.T, api client.Client, id manifest.Identity, uid string) {
	t.Helper()
	live, err := get(t, api, id)
	if apierrors.IsNotFound(err) && id.Kind == "Job" {
		return
	}
	story.Must(t, err)
	if string(live.GetUID()) != uid {
		t.Errorf("%s was recreated: it has the uid %s, not %s", id, live.GetUID(), uid)
	}
}

// expectNoClaim holds an object to be gone, or to be there without a claim of ours.
func expectNoClaim(t *testing.T, api client.Client, id manifest.Identity) {
	t.Helper()
	live, err := get(t, api, id)
	if apierrors.IsNotFound(err) || meta.IsNoMatchError(err) {
		return
	}
	story.Must(t, err)
	for _, entry := range live.GetManagedFields() {
		if strings.HasPrefix(entry.Manager, story.Us) {
			t.Errorf("%s still has a claim of %s after the destroy", id, entry.Manager)
		}
	}
}
