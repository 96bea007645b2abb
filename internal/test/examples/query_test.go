package examples_test

import (
	"context"
	"maps"
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

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// shop is a folder of 51 plain manifests, which somebody has applied with kubectl.
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
	for _, file := range slices.Concat([]string{"testdata/shop/namespace.yaml"}, filesBelow(t, "testdata/shop", ".yaml")) {
		if len(s.objects) > 0 && strings.HasSuffix(file, "namespace.yaml") {
			continue
		}
		for _, document := range documents(read(t, file)) {
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

	s.Do("query", "-generate-config-out=generated.tf")
	s.tidy()
	text := read(t, filepath.Join(s.Dir, "k8s.tf"))
	s.showsOutput("query-generated", regexp.MustCompile(`(?ms)^resource "k8sconnect_manifest" "deployment_shop_web".*?^}\n\nimport.*?^}\n`).FindString(text))
	s.Do("fmt", "-check", "k8s.tf")

	planned := s.Do("plan", "-out=plan")
	s.showsOutput("query-plan", "$ terraform plan -out=plan\n...\n"+regexp.MustCompile(`(?m)^Plan: .*\n`).FindString(planned))
	s.Do("apply", "plan")
	s.expectSame(before)
	s.expectCost(map[string]int{"get 200": count}, "plan", "-detailed-exitcode")
	for _, target := range []string{"apps/v1 Deployment shop/web", "v1 ConfigMap shop/web", "v1 Namespace shop"} {
		if _, ours := owner(s, target); !ours {
			t.Errorf("k8sconnect owns nothing of %s", target)
		}
	}
}

// owner reports whether k8sconnect owns something of an object, and what kubectl owns of its data.
func owner(s *shop, target string) (entry metav1.ManagedFieldsEntry, has bool) {
	for _, entry := range s.Live(target).GetManagedFields() {
		if entry.Manager == "k8sconnect" && entry.Operation == metav1.ManagedFieldsOperationApply {
			return entry, true
		}
	}
	return entry, false
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
	s := newShop(t, "from-kubectl-opentofu")
	before := s.values()
	s.Do("apply", "-auto-approve")
	imports := s.Do("output", "-raw", "imports")
	write(t, filepath.Join(s.Dir, "imports.tf"), imports)
	s.showsOutput("imports", regexp.MustCompile(`(?ms)^import \{\n  to = k8sconnect_manifest.deployment_shop_web\n.*?^}\n`).FindString(imports))
	s.Do("plan", "-generate-config-out=k8s.tf", "-out=plan")
	s.Do("apply", "plan")
	s.expectSame(before)
	if names := slices.Sorted(maps.Keys(before)); len(names) != strings.Count(imports, "import {")+15 {
		t.Errorf("%d of %d objects are imported", strings.Count(imports, "import {"), len(names))
	}
	s.plan(story.Nothing)
}
