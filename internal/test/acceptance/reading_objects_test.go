package acceptance_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// fill creates ConfigMaps cm-0000 to cm-N under the name of a manager; the label half tells the halves.
func (r reader) fill(count int) {
	r.T.Helper()
	var group sync.WaitGroup
	turns := make(chan int)
	for range 8 {
		group.Go(func() {
			for i := range turns {
				_, err := r.Typed.CoreV1().ConfigMaps(r.Namespace).Create(context.Background(), &corev1.ConfigMap{
					ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("cm-%04d", i), Labels: map[string]string{"part": fmt.Sprint(2 * i / count)}},
					Data:       map[string]string{"index": fmt.Sprint(i)},
				}, metav1.CreateOptions{FieldManager: "filler"})
				if err != nil {
					r.T.Error(err)
				}
			}
		})
	}
	for i := range count {
		turns <- i
	}
	close(turns)
	group.Wait()
}

// 1200 objects cost three LISTs, and a limit costs no more than it needs.
func TestManyObjects(t *testing.T) {
	r := newReader(t)
	r.fill(1200)
	const list = "list configmaps NS 200"
	for name, test := range map[string]struct {
		lines    string
		requests []string
		want     []any // The number of objects, the first ID, the last one, and truncated.
	}{
		"all of them":                {"", []string{list, list, list}, []any{1200, "cm-0000", "cm-1199", false}},
		"a limit below a page":       {"limit = 7", []string{list}, []any{7, "cm-0000", "cm-0006", true}},
		"a limit of one page":        {"limit = 500", []string{list, list}, []any{500, "cm-0000", "cm-0499", true}},
		"a limit above a page":       {"limit = 600", []string{list, list}, []any{600, "cm-0000", "cm-0599", true}},
		"a limit of all":             {"limit = 1200", []string{list, list, list}, []any{1200, "cm-0000", "cm-1199", false}},
		"half by label":              {`label_selector = "part in (1)"`, []string{list, list}, []any{600, "cm-0600", "cm-1199", false}},
		"one by field":               {`field_selector = "metadata.name=cm-0042"`, []string{"list configmaps NS/cm-0042 200"}, []any{1, "cm-0042", "cm-0042", false}},
		"a manager":                  {`manager = "fil*"`, []string{list, list, list}, []any{1200, "cm-0000", "cm-1199", false}},
		"a manager and a limit":      {"manager = \"filler\"\n  limit = 500", []string{list, list}, []any{500, "cm-0000", "cm-0499", true}},
		"metadata alone":             {"metadata_only = true", []string{list, list, list}, []any{1200, "cm-0000", "cm-1199", false}},
		"another manager of nothing": {`manager = "fill"`, []string{list, list, list}, []any{0, "", "", false}},
	} {
		t.Run(name, func(t *testing.T) {
			part := reader{r.HostedWorkspace()}
			part.T = t
			const all = "data.k8sconnect_objects.all"
			filled := `field_selector = "metadata.name!=kube-root-ca.crt"`
			if strings.Contains(test.lines, "field_selector") {
				filled = ""
			}
			part.Configure(
				part.block(dataObjects, "all", listed("v1", "ConfigMap"), filled, test.lines),
				output(map[string]string{
					"count": "length(" + all + ".objects)", "same": "[for o in " + all + ".objects : o.metadata.name] == [for id in " + all + ".ids : split(\"name=\", id)[1]]",
					"first": "try(split(\",name=\", " + all + ".ids[0])[1], \"\")", "last": "try(reverse(" + all + ".objects)[0].metadata.name, \"\")",
					"truncated": all + ".truncated",
				}))
			part.expectOutputs(test.requests, map[string]any{"count": test.want[0], "same": true, "first": test.want[1], "last": test.want[2], "truncated": test.want[3]})
		})
	}
}

// A manager owns fields of some objects; each object says of what kind it is, also where its metadata alone are read.
func TestObjectsOfAManager(t *testing.T) {
	r := newReader(t)
	body := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: NS, labels: {app.kubernetes.io/name: web}}\ndata: {a: x}\n"
	r.As("flux-helm").Apply(fmt.Sprintf(body, "b"))
	r.As("flux-kustomize").Apply(fmt.Sprintf(body, "a"))
	r.As("kubectl").Apply(fmt.Sprintf(body, "c"))
	r.Configure(
		r.block(dataObjects, "flux", listed("v1", "ConfigMap"), `manager = "flux-*"`, "metadata_only = true"),
		r.block(dataObjects, "everywhere", `api_version = "v1"`, `kind = "ConfigMap"`, `field_selector = "metadata.namespace=NS"`, `manager = "kubectl"`),
		r.block(dataObjects, "namespaces", `api_version = "v1"`, `kind = "Namespace"`, `label_selector = "kubernetes.io/metadata.name=NS"`),
		r.block(dataObjects, "none", listed("apps/v1", "Deployment")),
		output(map[string]string{
			"ids":        "data.k8sconnect_objects.flux.ids",
			"kinds":      `[for o in data.k8sconnect_objects.flux.objects : "${o.apiVersion} ${o.kind} ${o.metadata.labels["app.kubernetes.io/name"]}"]`,
			"data":       "[for o in data.k8sconnect_objects.flux.objects : can(o.data)]",
			"managed":    "can(data.k8sconnect_objects.flux.objects[0].metadata.managedFields)",
			"everywhere": "data.k8sconnect_objects.everywhere.ids",
			"namespaces": "data.k8sconnect_objects.namespaces.ids",
			"none":       "[data.k8sconnect_objects.none.objects, data.k8sconnect_objects.none.ids]",
		}))
	id := func(name string) string { return "apiVersion=v1,kind=ConfigMap,namespace=NS,name=" + name }
	r.expectOutputs([]string{"list configmaps 200", "list configmaps NS 200", "list deployments NS 200", "list namespaces 200"}, map[string]any{
		"ids": []string{id("a"), id("b")}, "kinds": []string{"v1 ConfigMap web", "v1 ConfigMap web"}, "data": []bool{false, false}, "managed": false,
		"everywhere": []string{id("c")}, "namespaces": []string{"apiVersion=v1,kind=Namespace,name=NS"}, "none": []any{[]any{}, []any{}},
	})
}

// Manifests whose objects a manager has made are imported, and the others are created. Once the provider has taken over the fields,
// the manager owns nothing, and the plan is empty.
func TestObjectsOfAManagerAreImported(t *testing.T) {
	r := newReader(t)
	const body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: NS}\ndata: {a: x}\n"
	for _, name := range []string{"a", "b", "other"} {
		r.As("kubectl-create").Create(fmt.Sprintf(body, name))
	}
	r.Configure(
		r.block(dataObjects, "made", listed("v1", "ConfigMap"), `manager = "kubectl-*"`),
		r.Expand(`
locals {
  manifests = { for name in ["a", "b", "new"] : "apiVersion=v1,kind=ConfigMap,namespace=NS,name=${name}" => {
    apiVersion = "v1", kind = "ConfigMap", metadata = { name = name, namespace = "NS" }, data = { a = "x" }
  } }
}

import {
  for_each = setintersection(keys(local.manifests), data.k8sconnect_objects.made.ids)
  to       = k8sconnect_manifest.all[each.key]
  id       = each.key
}

resource "k8sconnect_manifest" "all" {
  for_each  = local.manifests
  yaml_body = yamlencode(each.value)
}
`), output(map[string]string{"left": "data.k8sconnect_objects.made.ids"}))
	r.expectSaid(r.Do("plan"), "Plan: 2 to import, 1 to add, 2 to change, 0 to destroy.")
	r.Do("apply", "-auto-approve")
	r.Do("apply", "-auto-approve")
	r.Exits(story.Nothing, "plan", "-detailed-exitcode")
	if left := r.Do("output", "-json", "left"); !strings.Contains(left, "name=other\"]") || strings.Contains(left, "name=a") {
		t.Errorf("the manager still has %s", left)
	}
}
