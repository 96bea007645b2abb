package ecosystem_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A release of Helm, installed in each of its ways, comes under management without a change of a value, and Helm forgets
// it. The way back leads to a release that the next upgrade changes without a conflict.
func TestReleasesOfChartsAreTakenOver(t *testing.T) {
	program := helmProgram(t)
	for _, name := range []string{"harbour", "boards"} {
		for way, flag := range ways {
			t.Run(name+" "+way, func(t *testing.T) {
				s := story.New(t)
				set := chartSets(t, name)["one"]
				w := s.HostedWorkspace()
				installed := append([]string{releaseName, set.folder, "-n", s.Namespace, "--no-hooks", flag}, set.flags()...)
				helm(t, program, append([]string{"install"}, installed...)...)
				configure := func(arguments string) {
					source := set.dataSource("it", fmt.Sprintf("release = %q\nnamespace = %q", releaseName, s.Namespace))
					w.Configure(regexp.MustCompile(`(?m)^ +(Secret)?Hooks .*\n`).ReplaceAllString(source, "") + `resource "k8sconnect_manifests" "it" {
  manifests        = data.k8sconnect_chart.it.manifests
  secret_manifests = data.k8sconnect_chart.it.secret_manifests
` + arguments + "}\n")
				}
				var objects []*unstructured.Unstructured
				for _, object := range decodeAll(t, helm(t, program, "get", "manifest", releaseName, "-n", s.Namespace)) {
					one := &unstructured.Unstructured{Object: object}
					if !one.IsList() {
						objects = append(objects, one)
						continue
					}
					list, err := one.ToList()
					story.Must(t, err)
					for i := range list.Items {
						objects = append(objects, &list.Items[i])
					}
				}
				live := func() made {
					all := made{}
					for _, object := range objects {
						namespace := s.Namespace
						if strings.HasPrefix(object.GetKind(), "Cluster") {
							namespace = ""
						}
						found := s.Live(targetOf(object, namespace, object.GetName()))
						fields := fieldsOf(withoutServer(found.DeepCopy()))
						fields["generation"], fields["uid"] = fmt.Sprint(found.GetGeneration()), string(found.GetUID())
						all[manifest.IdentityOf(found).Key()] = fields
					}
					// The first helm upgrade changes these, too: each rendering of the template draws, that of the checksum as well.
					drawn := map[string][]string{}
					if drawnOnce[name] {
						for key, paths := range drawnIn[name] {
							if strings.HasPrefix(key, "apps/") {
								drawn[s.Expand(key)] = append(slices.Clone(paths), "generation")
							}
						}
					}
					return all.without(drawn)
				}
				before := live()
				if len(before) < 3 {
					t.Fatalf("%d objects", len(before))
				}
				takeOver := fmt.Sprintf("  take_over_release = {\n    name = %q\n    namespace = %q\n  }\n", releaseName, s.Namespace)
				configure(takeOver)
				plan := w.Exits(story.Changes, "plan", "-detailed-exitcode", "-out=p")
				for _, text := range []string{"Release Taken Over", "sh.helm.release.v1." + releaseName + ".v1", `"helm" -> "k8sconnect`} {
					if !strings.Contains(plan, text) {
						t.Errorf("the plan lacks %q:\n%s", text, plan)
					}
				}
				for _, text := range []string{"does not manage them", "Generated Values"} {
					if strings.Contains(plan, text) {
						t.Errorf("the plan has %q:\n%s", text, plan)
					}
				}
				w.Do("apply", "p")
				if diff := cmp.Diff(before, live()); diff != "" {
					t.Errorf("the apply has changed something:\n%s", diff)
				}
				if listed := helm(t, program, "list", "-q", "-n", s.Namespace); strings.TrimSpace(listed) != "" {
					t.Errorf("Helm has %s", listed)
				}
				w.Exits(story.Nothing, "plan", "-detailed-exitcode")

				configure("  on_destroy = \"hand_over\"\n  successor = \"helm\"\n")
				w.Do("apply", "-auto-approve")
				w.Do("destroy", "-auto-approve")
				if diff := cmp.Diff(before, live()); diff != "" {
					t.Errorf("the way back has changed something:\n%s", diff)
				}
				back := append([]string{"upgrade", "--install", "--take-ownership"}, installed...)
				helm(t, program, back...)
				changed := filepath.Join(t.TempDir(), "changed.yaml")
				story.Must(t, os.WriteFile(changed, []byte(installedCharts[name].changed), 0o600))
				helm(t, program, append(back, "-f", changed)...)
				if listed := helm(t, program, "list", "-q", "-n", s.Namespace); strings.TrimSpace(listed) != releaseName {
					t.Errorf("Helm has %q", listed)
				}
			})
		}
	}
}
