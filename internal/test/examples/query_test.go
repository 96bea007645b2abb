package examples_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// shop is a folder of 51 plain manifests, which a user has applied with kubectl.
type shop struct {
	*example
	objects []*unstructured.Unstructured
}

// newShop applies the folder as kubectl apply does. Its namespace goes when the test ends.
func newShop(t *testing.T, name string) *shop {
	t.Helper()
	e := newExample(t, name, atHome(t))
	// The requests of this user are counted.
	e.Env = append(e.Env, "KUBE_CONFIG_PATH="+filepath.Join(e.Dir, "kubeconfig"))
	s := &shop{example: e}
	kubectl := e.As("kubectl-client-side-apply")
	for _, file := range slices.Concat([]string{"testdata/shop/namespace.yaml"}, pages.Files(t, "testdata/shop", ".yaml")) {
		if len(s.objects) > 0 && strings.HasSuffix(file, "namespace.yaml") {
			continue
		}
		for _, document := range documents(pages.Read(t, file)) {
			s.objects = append(s.objects, kubectl.ApplyClientSide(document))
		}
	}
	t.Cleanup(s.remove)
	s.settle()
	return s
}

// remove deletes what a destroy has left, and waits until it is gone.
func (s *shop) remove() {
	ctx := context.WithoutCancel(s.T.Context())
	for _, object := range slices.Backward(s.objects) {
		if err := s.ResourceOf(object).Delete(ctx, object.GetName(), metav1.DeleteOptions{}); !apierrors.IsNotFound(err) {
			story.Must(s.T, err)
		}
	}
	s.Await("the namespace is gone", func() bool {
		_, err := s.ResourceOf(s.objects[0]).Get(ctx, s.objects[0].GetName(), metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
}

// settle waits until the controllers have added to the objects what they add.
func (s *shop) settle() {
	last := s.values()
	s.Await("the controllers leave the objects alone", func() bool {
		time.Sleep(2 * time.Second)
		now := s.values()
		defer func() { last = now }()
		return cmp.Equal(last, now)
	})
}

// values returns all that the objects say, without their status, and without who owns them.
func (s *shop) values() map[string]any {
	s.T.Helper()
	all := map[string]any{}
	for _, object := range s.objects {
		live, err := s.ResourceOf(object).Get(s.T.Context(), object.GetName(), metav1.GetOptions{})
		story.Must(s.T, err)
		live.SetManagedFields(nil)
		live.SetResourceVersion("")
		delete(live.Object, "status")
		all[live.GetKind()+" "+live.GetNamespace()+"/"+live.GetName()] = live.Object
	}
	return all
}

// expectSame asserts that no value has changed.
func (s *shop) expectSame(before map[string]any) {
	s.T.Helper()
	if diff := cmp.Diff(before, s.values()); diff != "" {
		s.T.Errorf("the values of the objects (-before +after):\n%s", diff)
	}
}

// expectCost runs a command, and asserts how many requests of each verb and answer it sent.
func (s *shop) expectCost(want map[string]int, args ...string) string {
	s.T.Helper()
	var out string
	objects, discovery := s.CostOf(func() { out = s.Do(args...) })
	got := map[string]int{}
	for _, request := range objects {
		words := strings.Fields(request)
		got[words[0]+" "+strings.Join(words[len(words)-1:], " ")]++
	}
	if diff := cmp.Diff(want, got); diff != "" {
		s.T.Errorf("%s: requests (-want +got):\n%s\n%s", args[0], diff, strings.Join(objects[:min(len(objects), 20)], "\n"))
	}
	if len(discovery) > 4 {
		s.T.Errorf("%s: discovery was read with %d requests", args[0], len(discovery))
	}
	return out
}

// expectListed runs a query that writes its configuration, and asserts one LIST of metadata for each kind, and one GET for each object.
func (s *shop) expectListed(count int, args ...string) {
	s.T.Helper()
	objects, _ := s.CostOf(func() { s.Do(args...) })
	got := map[string]int{}
	for _, request := range objects {
		got[request]++
	}
	gets, lists := 0, 0
	for request, times := range got {
		switch verb, _, _ := strings.Cut(request, " "); {
		case times > 1:
			s.T.Errorf("%s was sent %d times", request, times)
		case verb == "get":
			gets++
		case verb == "list":
			lists++
		default:
			s.T.Errorf("the query sent %s", request)
		}
	}
	if gets != count || lists < 24 {
		s.T.Errorf("the query sent %d GETs and %d LISTs for %d objects of 24 kinds", gets, lists, count)
	}
}

// age is how old a claim is, which no two runs agree on.
var age = regexp.MustCompile(`, (just now|\d+ \w+ ago)\)`)

// rows returns the lines of a query's results, with an age that is always the same.
func rows(out string) []string {
	var found []string
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "list.") {
			found = append(found, age.ReplaceAllString(line, ", 2 days ago)"))
		}
	}
	return found
}

// A folder of plain manifests, applied with kubectl, comes under management with five commands, and no value changes. For each
// object, the query sends one GET, and the next plan one.
func TestFromKubectl(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	query := story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: "terraform query"}
	query.Needed(story.In(t, "default").Workspace())
	s := newShop(t, "from-kubectl")
	before := s.values()
	count := len(before)

	listed := rows(s.Do("query"))
	if len(listed) != count {
		t.Errorf("the query lists %d objects, want %d:\n%s", len(listed), count, strings.Join(listed, ""))
	}
	s.showsOutput("query", "$ terraform query\n\n"+strings.Join(listed[:12], "")+"...\n")

	s.expectListed(count, "query", "-generate-config-out=generated.tf")
	s.tidy()
	text := pages.Read(t, filepath.Join(s.Dir, "k8s.tf"))
	s.says(regexp.MustCompile(`(?ms)^resource "k8sconnect_manifest" "deployment_shop_web".*?^}\n\nimport.*?^}\n`).FindString(text),
		"yaml_body = jsonencode({", `image = "nginx:1.29"`, "to = k8sconnect_manifest.deployment_shop_web")
	s.Do("fmt", "-check", "k8s.tf")

	// The import reads each object, and a dry-run predicts its apply.
	planned := s.expectCost(map[string]int{"get 200": count, "patch 200": count}, "plan", "-out=plan")
	s.showsOutput("query-plan", "$ terraform plan -out=plan\n...\n"+regexp.MustCompile(`(?m)^Plan: .*\n`).FindString(planned))
	// A dry-run plans again; then the apply, and the patch that takes over.
	s.expectCost(map[string]int{"patch 200": 3 * count}, "apply", "plan")
	s.expectSame(before)
	s.expectCost(map[string]int{"get 200": count}, "plan", "-detailed-exitcode")
	for _, target := range []string{"apps/v1 Deployment shop/web", "v1 ConfigMap shop/web", "v1 Namespace shop"} {
		if !s.isOurs(target) {
			t.Errorf("k8sconnect owns nothing of %s", target)
		}
	}
}

// isOurs reports whether k8sconnect owns something of an object.
func (s *shop) isOurs(target string) bool {
	return slices.ContainsFunc(s.Live(target).GetManagedFields(), func(entry metav1.ManagedFieldsEntry) bool {
		return entry.Manager == story.Us && entry.Operation == metav1.ManagedFieldsOperationApply
	})
}

// tidy runs the program that the guide runs on what Terraform generated.
func (s *shop) tidy() {
	s.T.Helper()
	generated := filepath.Join(s.Dir, "generated.tf")
	command := exec.CommandContext(s.T.Context(), "awk", "-f", filepath.Join(s.Dir, "tidy.awk"), generated, generated)
	text, err := command.Output()
	story.Must(s.T, err)
	write(s.T, filepath.Join(s.Dir, "k8s.tf"), string(text))
	story.Must(s.T, os.Remove(generated))
}

// Without terraform query, a data source finds the objects and an output writes their import blocks.
func TestFromKubectlWithoutQuery(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	if testcluster.NewestTerraform() {
		t.Skip("this Terraform has terraform query, and generates no configuration for an import block without the argument provider")
	}
	s := newShop(t, "from-kubectl-opentofu")
	before := s.values()
	s.Do("apply", "-auto-approve")
	imports := s.Do("output", "-raw", "imports")
	write(t, filepath.Join(s.Dir, "imports.tf"), imports)
	s.showsOutput("imports", regexp.MustCompile(`(?ms)^import \{\n  to = k8sconnect_manifest.deployment_shop_web\n.*?^}\n`).FindString(imports))
	s.Do("plan", "-generate-config-out=generated.tf")
	write(t, filepath.Join(s.Dir, "tidy.awk"), pages.Read(t, filepath.Join(pages.Root, "examples/from-kubectl/tidy.awk")))
	s.tidy()
	if text := pages.Read(t, filepath.Join(s.Dir, "k8s.tf")); strings.Contains(text, "null\n") || strings.Contains(text, "field_manager") || !strings.Contains(text, `"configmap_shop_web" {`) {
		t.Errorf("the file is not tidy:\n%s", text)
	}
	s.Do("apply", "-auto-approve")
	s.expectSame(before)
	want := 0
	kinds := pages.Read(t, filepath.Join(s.Dir, "main.tf"))
	for _, object := range s.objects {
		if strings.Contains(kinds, `"`+object.GetAPIVersion()+" "+object.GetKind()+`"`) {
			want++
		}
	}
	if got := strings.Count(imports, "import {"); got != want || want < 30 {
		t.Errorf("%d objects are imported, want %d", got, want)
	}
	s.plan(story.Nothing)
}
