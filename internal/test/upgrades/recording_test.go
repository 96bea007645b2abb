package upgrades

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// recording is what one version of the provider left, in a folder of testdata.
type recording struct{ dir string }

// The files of a recording, in addition to before and others.
const (
	configurationFile = "main.tf"
	stateFile         = "state.json"
	objectsFile       = "objects.json"
	originFile        = "origin.json"
)

// origin says what a recording was made with. The state names the version of Terraform.
type origin struct {
	Provider   string `json:"provider"`
	Kubernetes string `json:"kubernetes"`
	// Cluster is the uid of the namespace kube-system, which the state holds.
	Cluster string `json:"cluster"`
}

// clusterUID returns the uid of the control plane's namespace kube-system.
func clusterUID(t *testing.T, api client.Client) string {
	t.Helper()
	namespace, err := get(t, api, manifest.Identity{APIVersion: "v1", Kind: "Namespace", Name: "kube-system"})
	story.Must(t, err)
	return string(namespace.GetUID())
}

func (r recording) read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	story.Must(t, err)
	return text
}

func (r recording) write(t *testing.T, name string, value any) {
	t.Helper()
	text, err := json.MarshalIndent(value, "", "  ")
	story.Must(t, err)
	story.Must(t, os.WriteFile(filepath.Join(r.dir, name), append(text, '\n'), 0o600))
}

// objects are those that the state names, as the API server had them, in an order in which they can be created.
func (r recording) objects(t *testing.T) []*unstructured.Unstructured {
	t.Helper()
	var all []*unstructured.Unstructured
	story.Must(t, json.Unmarshal(r.read(t, objectsFile), &all))
	return all
}

// byManager returns the objects in the files of a folder, by the manager that the file is named after.
func (r recording) byManager(t *testing.T, folder string) map[string][]*unstructured.Unstructured {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(r.dir, folder, "*.yaml"))
	story.Must(t, err)
	all := map[string][]*unstructured.Unstructured{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		story.Must(t, err)
		manager := strings.TrimSuffix(filepath.Base(file), ".yaml")
		for _, document := range strings.Split(string(text), "\n---\n") {
			parsed, err := manifest.Parse(document)
			story.Must(t, err)
			all[manager] = append(all[manager], &unstructured.Unstructured{Object: parsed.Object})
		}
	}
	return all
}

// stateOf returns the objects that a state names, with their uids.
func stateOf(t *testing.T, state []byte) map[string]manifest.Identity {
	t.Helper()
	var parsed struct {
		Resources []struct {
			Mode      string
			Instances []struct {
				Attributes struct {
					ID      string
					Ref     struct{ UID string } `json:"object_ref"`
					Objects map[string]struct{ ID, UID string }
				}
			}
		}
	}
	story.Must(t, json.Unmarshal(state, &parsed))
	named := map[string]manifest.Identity{}
	note := func(uid, text string) {
		id, err := manifest.ParseImportID(text)
		story.Must(t, err)
		named[uid] = id
	}
	for _, resource := range parsed.Resources {
		for _, instance := range resource.Instances {
			attributes := instance.Attributes
			if resource.Mode == "managed" && attributes.Ref.UID != "" {
				note(attributes.Ref.UID, attributes.ID)
			}
			for _, object := range attributes.Objects {
				note(object.UID, object.ID)
			}
		}
	}
	return named
}

// workdirFor returns a directory in which the CLI runs a provider on the control plane.
func workdirFor(t *testing.T, provider string) *workdir.Workdir {
	t.Helper()
	cli, err := testcluster.TerraformCLI(t.Context(), os.Stderr)
	story.Must(t, err)
	work, err := workdir.New(t.TempDir(), provider, cli)
	story.Must(t, err)
	kubeconfig := story.ControlPlane().KubeconfigPath()
	work.Env = append(work.Env, "KUBE_CONFIG_PATH="+kubeconfig, "TF_VAR_kubeconfig="+kubeconfig)
	return work
}

// expect runs a command of the CLI, which has to end with the code and to say the text.
func expect(t *testing.T, work *workdir.Workdir, code int, says string, args ...string) {
	t.Helper()
	printed, got, err := work.Run(t.Context(), args...)
	story.Must(t, err)
	if got != code || !strings.Contains(printed, says) {
		t.Fatalf("%s ended with %d, not with %d and %q:\n%s", strings.Join(args, " "), got, code, says, printed)
	}
}

func newClient(t *testing.T) client.Client {
	t.Helper()
	api, err := client.New(story.ControlPlane().RESTConfig(), client.Options{Scheme: runtime.NewScheme()})
	story.Must(t, err)
	return api
}

func get(t *testing.T, api client.Client, id manifest.Identity) (*unstructured.Unstructured, error) {
	t.Helper()
	live := &unstructured.Unstructured{}
	live.SetAPIVersion(id.APIVersion)
	live.SetKind(id.Kind)
	return live, api.Get(t.Context(), client.ObjectKey{Namespace: id.Namespace, Name: id.Name}, live)
}

// recordings are the folders of testdata.
func recordings(t *testing.T) []recording {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join("testdata", "*"))
	story.Must(t, err)
	slices.Sort(dirs)
	var all []recording
	for _, dir := range dirs {
		all = append(all, recording{dir})
	}
	return all
}
