package acceptance_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// inDefault is a ConfigMap that two clusters can have, because it needs no namespace of the story's.
const inDefault = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NS, namespace: default}\ndata: {colour: red}\n"

// clusters returns the argument of a provider with clusters by name: pairs of a name and a connection.
func clusters(namesAndConnections ...string) string {
	var all strings.Builder
	for i := 0; i < len(namesAndConnections); i += 2 {
		fmt.Fprintf(&all, "%q = {\n%s\n}\n", namesAndConnections[i], namesAndConnections[i+1])
	}
	return "clusters = {\n" + all.String() + "}"
}

func configPath(path string) string { return story.Attributes("config_path", path) }

// on returns a resource block for the ConfigMap on each of some clusters.
func on(s *story.Story, names ...string) string {
	var all strings.Builder
	for _, name := range names {
		all.WriteString(s.Manifest(name, inDefault, fmt.Sprintf("cluster_name = %q", name)))
	}
	return all.String()
}

// colour returns a check of the ConfigMap of inDefault on a cluster; "" is for none.
func colour(ctx context.Context, s *story.Story, client *kubernetes.Clientset, want string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		live, err := client.CoreV1().ConfigMaps("default").Get(ctx, s.Namespace, metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err) && want == "":
			return nil
		case err != nil:
			return err
		case live.Data["colour"] != want:
			return fmt.Errorf("the colour is %q, want %q", live.Data["colour"], want)
		}
		return nil
	}
}

// Resources choose one of the provider's clusters by its name, and their state holds no more than the name.
func TestClusters(t *testing.T) {
	s := story.New(t)
	second, there := anotherCluster(t)
	here, err := kubernetes.NewForConfig(story.ControlPlane().RESTConfig())
	story.Must(t, err)
	first, other := configPath(story.ControlPlane().KubeconfigPath()), configPath(second.KubeconfigPath())
	provider := story.ProviderWith(clusters("here", first, "there", other))
	system, err := there.CoreV1().Namespaces().Get(t.Context(), metav1.NamespaceSystem, metav1.GetOptions{})
	story.Must(t, err)
	const data = `data "k8sconnect_object" "there" {
  api_version  = "v1"
  kind         = "Namespace"
  name         = "kube-system"
  cluster_name = "there"
}
`
	renamed := story.ProviderWith(clusters("here", first, "renamed", other))
	move := "moved {\nfrom = k8sconnect_manifest.there\nto = k8sconnect_manifest.renamed\n}\n"
	s.Run(
		resource.TestStep{
			Config: provider + on(s, "here", "there") + data,
			Check: story.LiveChecks(
				resource.TestCheckResourceAttr("data.k8sconnect_object.there", "object.metadata.uid", string(system.UID)),
				colour(t.Context(), s, here, "red"), colour(t.Context(), s, there, "red"),
				resource.TestCheckResourceAttr("k8sconnect_manifest.there", "cluster_name", "there"),
				resource.TestCheckNoResourceAttr("k8sconnect_manifest.there", "cluster.%"),
			),
		},
		resource.TestStep{Config: provider + on(s, "here", "there"), ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan())},
		resource.TestStep{ // A cluster that is down is an error of its own objects.
			Config:      story.ProviderWith(clusters("here", first, "there", story.Attributes("host", "https://127.0.0.1:1", "token", "none"))) + on(s, "here", "there"),
			ExpectError: story.Saying("Cluster Unreachable", "with k8sconnect_manifest.there", s.Expand("ConfigMap default/NS (v1) could not be read")),
		},
		resource.TestStep{
			Config:      story.ProviderWith(clusters("here", first)) + on(s, "here", "there"),
			ExpectError: story.Saying("Cluster Not Configured", `There is no cluster "there"`, `has "here"`, "terraform state rm"),
		},
		resource.TestStep{ // Another name of the same cluster changes nothing on it.
			Config: story.ProviderWith(clusters("here", first, "there", other, "renamed", other)) + move + on(s, "here", "renamed"),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction("k8sconnect_manifest.renamed", plancheck.ResourceActionUpdate),
				plancheck.ExpectResourceAction("k8sconnect_manifest.here", plancheck.ResourceActionNoop),
			),
			Check: colour(t.Context(), s, there, "red"),
		},
		resource.TestStep{
			Config: renamed + on(s, "renamed"),
			Check:  story.LiveChecks(colour(t.Context(), s, here, ""), colour(t.Context(), s, there, "red")),
		},
		resource.TestStep{ // Another cluster is a replacement: deleted there, created here.
			Config:           renamed + s.Manifest("renamed", inDefault, `cluster_name = "here"`),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction("k8sconnect_manifest.renamed", plancheck.ResourceActionReplace)),
			Check:            story.LiveChecks(colour(t.Context(), s, here, "red"), colour(t.Context(), s, there, "")),
		},
	)
}

// A cluster that is only known after the apply leaves unknown what is on it, and nothing else.
func TestUnknownCluster(t *testing.T) {
	s := story.New(t)
	path := story.ControlPlane().KubeconfigPath()
	config := func(known string) string {
		return story.ProviderWith(clusters("known", configPath(path), "new", "config_path = terraform_data.path.output")) +
			fmt.Sprintf("resource \"terraform_data\" \"path\" {\n  input = %q\n}\n", path) + known +
			s.Manifest("later", story.ConfigMapIn("later", "data: {a: \"1\"}"), `cluster_name = "new"`)
	}
	s.Run(resource.TestStep{
		Config: config(s.Manifest("test", story.ConfigMap, `cluster_name = "known"`)),
		ConfigPlanChecks: story.PlanChecks(
			story.ExpectForeseen(), story.ExpectUnknown("k8sconnect_manifest.later", "id", "object_ref", "field_ownership", "co_owners", "managed_state"),
		),
		Check: s.ExpectLive("v1 ConfigMap later", map[string]any{"data.a": "1"}),
	})
}

// A kubeconfig that leads to another cluster than before is an error, and nothing is created, changed or forgotten.
func TestWrongCluster(t *testing.T) {
	s := story.New(t)
	second, there := anotherCluster(t)
	here, err := kubernetes.NewForConfig(story.ControlPlane().RESTConfig())
	story.Must(t, err)
	config := filepath.Join(t.TempDir(), "config")
	use := func(path string) func() {
		return func() {
			text, err := os.ReadFile(path)
			story.Must(t, err)
			story.Must(t, os.WriteFile(config, text, 0o600))
		}
	}
	right, wrong := use(story.ControlPlane().KubeconfigPath()), use(second.KubeconfigPath())
	provider := story.ProviderWith(story.Cluster(configPath(config)))
	accepting := story.ProviderWith(story.Cluster(configPath(config), "accept_new_cluster = true"))
	manifest := s.Manifest("test", inDefault)
	patch := s.PatchBlock("label", "v1 Namespace default", "metadata: {labels: {NS: patched}}\n")
	saysSo := story.Saying("Not the Cluster of the State", s.Expand("ConfigMap default/NS (v1) could not be read: its state is about another cluster"),
		"at https://127.0.0.1:", "accept_new_cluster = true")
	untouched := story.LiveChecks(colour(t.Context(), s, here, "red"), colour(t.Context(), s, there, ""))
	s.Run(
		resource.TestStep{PreConfig: right, Config: provider + manifest, Check: untouched},
		resource.TestStep{PreConfig: wrong, Config: provider + manifest, PlanOnly: true, ExpectError: saysSo},
		resource.TestStep{Config: provider, ExpectError: saysSo},
		resource.TestStep{PreConfig: right, Config: provider + manifest + patch, Check: s.ExpectLive("v1 Namespace default", map[string]any{s.Expand("metadata.labels.NS"): "patched"})},
		resource.TestStep{
			PreConfig: wrong, Config: provider + manifest + patch, PlanOnly: true,
			ExpectError: story.Saying("Namespace default (v1) could not be read", "another cluster"),
		},
		resource.TestStep{PreConfig: right, Config: provider + manifest, Check: untouched},
		resource.TestStep{PreConfig: wrong, Config: provider + manifest, Destroy: true, ExpectError: saysSo},
		resource.TestStep{PreConfig: right, Config: provider + manifest, Check: untouched},
		resource.TestStep{
			PreConfig: wrong, Config: accepting + manifest,
			ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionCreate)),
			Check:            story.LiveChecks(colour(t.Context(), s, here, "red"), colour(t.Context(), s, there, "red")),
		},
		resource.TestStep{Config: provider + manifest, ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan())},
		resource.TestStep{PreConfig: right, Config: provider + manifest, PlanOnly: true, ExpectError: story.Saying("Not the Cluster of the State")},
		resource.TestStep{Config: accepting + manifest, Check: s.ExpectOwners("v1 ConfigMap default/NS", "data.colour", "k8sconnect")},
	)
}

// A connection in the state can lead to another cluster, too. The configuration corrects it.
func TestWrongClusterOfResource(t *testing.T) {
	s := story.New(t)
	second, there := anotherCluster(t)
	here, err := kubernetes.NewForConfig(story.ControlPlane().RESTConfig())
	story.Must(t, err)
	config := s.File("config", story.ControlPlane().Kubeconfig(), 0o600)
	own := func(lines ...string) string { return s.Manifest("test", inDefault, story.Cluster(lines...)) }
	untouched := story.LiveChecks(colour(t.Context(), s, here, "red"), colour(t.Context(), s, there, ""))
	s.Run(
		resource.TestStep{Config: own(configPath(config)), Check: untouched},
		resource.TestStep{
			PreConfig: func() { story.Must(t, os.WriteFile(config, second.Kubeconfig(), 0o600)) },
			Config:    own(configPath(config)), PlanOnly: true,
			ExpectError: story.Saying("Not the Cluster of the State", s.Expand("ConfigMap default/NS (v1) could not be planned: its state is about another cluster")),
		},
		resource.TestStep{Config: own(configPath(config)), Destroy: true, ExpectError: story.Saying("Not the Cluster of the State")},
		resource.TestStep{ // Another file of the right cluster.
			Config:           own(configPath(story.ControlPlane().KubeconfigPath())),
			ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionUpdate)),
			Check:            untouched,
		},
	)
}

// Applies that no refresh precedes ask which cluster it is themselves.
func TestWrongClusterWithoutRefresh(t *testing.T) {
	s := story.New(t)
	second, there := anotherCluster(t)
	here, err := kubernetes.NewForConfig(story.ControlPlane().RESTConfig())
	story.Must(t, err)
	w := s.HostedWorkspace()
	path := filepath.Join(w.Dir, "kubeconfig")
	right, err := os.ReadFile(path)
	story.Must(t, err)
	w.Configure(s.Manifest("test", inDefault))
	w.Do("apply", "-auto-approve")
	w.Configure(s.Manifest("test", strings.ReplaceAll(inDefault, "red", "blue")))
	w.Do("plan", "-out=update.plan")

	story.Must(t, os.WriteFile(path, second.Kubeconfig(), 0o600))
	for _, refused := range []struct {
		says string
		args []string
	}{
		{"could not be planned", []string{"apply", "-no-color", "update.plan"}},
		{"could not be deleted", []string{"destroy", "-no-color", "-auto-approve", "-refresh=false"}},
	} {
		out := strings.Join(strings.Fields(w.Exits(story.Refused, refused.args...)), " ")
		for _, part := range []string{"Not the Cluster of the State", refused.says, "Nothing was changed"} {
			if !strings.Contains(out, part) {
				t.Errorf("%s does not say %q:\n%s", refused.args, part, out)
			}
		}
	}
	story.Must(t, story.LiveChecks(colour(t.Context(), s, here, "red"), colour(t.Context(), s, there, ""))(nil))

	story.Must(t, os.WriteFile(path, right, 0o600))
	w.Do("apply", "-auto-approve")
	w.Do("destroy", "-auto-approve")
	story.Must(t, colour(t.Context(), s, here, "")(nil))
}

// The namespace by which clusters are told apart is read once in a run that applies, and not in one that has nothing to do. Where it may
// not be read, everything works without.
func TestClusterIsReadOnce(t *testing.T) {
	s := story.New(t)
	var two string
	for _, name := range []string{"a", "b"} {
		two += s.Manifest(name, story.ConfigMapIn(name, `data: {a: "1"}`))
	}
	w := s.HostedWorkspace()
	w.Configure(two)
	reads := func(args ...string) int {
		t.Helper()
		mark := story.AuditLog(t).Mark()
		w.Do(args...)
		count := 0
		sent, err := story.AuditLog(t).Since(mark, testcluster.ByUser(s.Namespace))
		story.Must(t, err)
		for _, request := range sent {
			if request.Resource == "namespaces" && request.Name == metav1.NamespaceSystem {
				count++
			}
		}
		return count
	}
	for _, step := range []struct {
		args []string
		want int
	}{
		{[]string{"apply", "-auto-approve"}, 1}, {[]string{"plan"}, 0}, {[]string{"apply", "-auto-approve"}, 0}, {[]string{"destroy", "-auto-approve"}, 1},
	} {
		if got := reads(step.args...); got != step.want {
			t.Errorf("%s reads kube-system %d times, want %d", step.args, got, step.want)
		}
	}
}

// What is wrong with clusters and their names is an error before any request, at the attribute.
func TestClustersInvalid(t *testing.T) {
	s := story.New(t)
	requests := s.Meter()
	host := story.Attributes("host", "https://127.0.0.1:1", "token", "none")
	requests.Start()
	steps := []resource.TestStep{}
	for _, invalid := range []struct {
		provider, resource string
		says               []string
	}{
		{clusters("a", host), `cluster_name = "b"`, []string{"Cluster Not Configured", "cluster_name = \"b\"", `There is no cluster "b"`, `has "a"`}},
		{"", `cluster_name = "b"`, []string{"Cluster Not Configured", "has no `clusters`", "Add its connection to the provider's configuration", "\"b\" = { config_path"}},
		{clusters("a", host), `cluster_name = ""`, []string{"Cluster Not Configured", `There is no cluster ""`}},
		{clusters("a b", host), `cluster_name = "a b"`, []string{"Invalid Cluster Name", `"a b"`, "has a comma, a space or a character that cannot be printed"}},
		{clusters("", host), "", []string{"Invalid Cluster Name", `has the name ""`, "is empty"}},
		{clusters("a", host), "cluster_name = \"a\"\n" + story.Cluster(host), []string{"Invalid Attribute Combination", "cluster_name"}},
		{clusters("a", host+"\n"+configPath("/nowhere")), `cluster_name = "a"`, []string{"Invalid Cluster Connection", "`clusters[\"a\"].host`", "together with `config_path`"}},
		{clusters("a", configPath("/nowhere")), `cluster_name = "a"`, []string{"Invalid Cluster Connection", "`clusters[\"a\"].config_path`", `"/nowhere"`}},
	} {
		steps = append(steps, resource.TestStep{
			Config:      story.ProviderWith(invalid.provider) + s.Manifest("test", story.ConfigMap, invalid.resource),
			ExpectError: story.Saying(invalid.says...),
		})
	}
	s.Run(steps...)
	story.Must(t, requests.Compare(nil))
}
