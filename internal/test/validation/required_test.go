package validation_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/validation"
)

// servedKinds returns the kinds that the server can apply, by API version and kind.
func servedKinds(t testing.TB) map[string]metav1.APIResource {
	t.Helper()
	client, err := discovery.NewDiscoveryClientForConfig(story.ControlPlane().RESTConfig())
	story.Must(t, err)
	_, lists, err := client.ServerGroupsAndResources()
	story.Must(t, err)
	served := map[string]metav1.APIResource{}
	for _, list := range lists {
		for _, resource := range list.APIResources {
			if !strings.Contains(resource.Name, "/") && slices.Contains(resource.Verbs, "patch") {
				served[list.GroupVersion+" "+resource.Kind] = resource
			}
		}
	}
	return served
}

// goodObjects returns the objects of kinds.yaml, by API version and kind.
func goodObjects(s *story.Story) map[string][]map[string]any {
	s.T.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "kinds.yaml"))
	story.Must(s.T, err)
	all, err := manifest.ParseAll(s.Expand(string(text)))
	story.Must(s.T, err)
	found := map[string][]map[string]any{}
	for _, one := range all {
		key := one.APIVersion + " " + one.Kind
		found[key] = append(found[key], one.Object)
	}
	return found
}

// verdict is what the server says of an object that lacks a field.
type verdict string

const (
	// accepted is a field that may be missing.
	accepted verdict = "accepted"
	// refused is a field that the server names, or without which it refuses what it takes with the field.
	refused verdict = "refused"
	// open is a field that the server does not get to, because something else is wrong.
	open verdict = "open"
)

// ask asks the server of an object with a needed field and without it: the good objects of the kind, with as little as
// possible of them replaced.
func (d definitions) ask(s *story.Story, root *published, good []map[string]any, n needed) (said verdict, with, without map[string]any) {
	said = open
	for _, base := range good {
		for fresh := len(n.path); fresh >= 0; fresh-- {
			whole, _ := d.grafted(root, runtime.DeepCopyJSON(base), n.path, fresh).(map[string]any)
			whole["apiVersion"], whole["kind"] = base["apiVersion"], base["kind"]
			if metadata, is := whole["metadata"].(map[string]any); is {
				of, _ := base["metadata"].(map[string]any)
				maps.Copy(metadata, of)
			}
			lacking := lacks(whole, n.path, n.field)
			if lacking["metadata"] == nil {
				continue
			}
			before, after := answer(s, whole), answer(s, lacking)
			switch {
			case after == nil:
				return accepted, whole, lacking
			case before == nil:
				return refused, whole, lacking
			case said == open && names(after, before, n):
				said, with, without = refused, whole, lacking
			case with == nil:
				with, without = whole, lacking
			}
		}
	}
	return said, with, without
}

// names reports whether the server says something new of the field, or of what the field has.
func names(after, before error, n needed) bool {
	known := map[string]bool{}
	for _, cause := range causesOf(before) {
		known[cause.Field+cause.Message] = true
	}
	around := ""
	for _, step := range n.path {
		if name, is := step.(string); is {
			around = name
		}
	}
	for _, cause := range causesOf(after) {
		isAt := strings.Contains("."+cause.Field+".", "."+n.field+".") || strings.HasSuffix(cause.Field, "."+around) || strings.HasSuffix(cause.Field, "]")
		if !known[cause.Field+cause.Message] && isAt {
			return true
		}
	}
	return false
}

func causesOf(err error) []metav1.StatusCause {
	if status := apierrors.APIStatus(nil); errors.As(err, &status) && status.Status().Details != nil {
		return status.Status().Details.Causes
	}
	return nil
}

// What the schemas of built-in kinds require and the server does not is no error, and what both require is one: for
// each required field of each kind that the server can apply.
func TestRequiredFieldsOfBuiltInKinds(t *testing.T) {
	s := story.New(t)
	folder, served, good := validation.Export(s), servedKinds(t), goodObjects(s)
	version, err := folder.Version()
	story.Must(t, err)
	unproven, proven, kinds, decided := map[string]string{}, map[string]int{}, 0, map[verdict]int{}
	for _, file := range version.Files {
		d := definitionsOf(s, folder, file)
		for _, name := range slices.Sorted(maps.Keys(d)) {
			root := d[name]
			gvk, is := root.kind()
			resource, isServed := served[gvk.GroupVersion().String()+" "+gvk.Kind]
			if !is || !isServed || !manifest.IsBuiltinGroup(gvk.Group) {
				continue
			}
			kinds++
			key := gvk.GroupVersion().String() + " " + gvk.Kind
			if good[key] == nil {
				t.Logf("kinds.yaml has no %s", key)
				good[key] = []map[string]any{minimal(s, gvk, resource)}
			}
			for _, n := range d.needs(root) {
				field := n.String()
				if proven[field] > 1 {
					continue // In two kinds already: the templates of pods are in ten.
				}
				said, with, without := d.ask(s, root, good[key], n)
				if with == nil {
					continue // The server takes no object without metadata to be one.
				}
				decided[said]++
				before, _ := unfitIn(t, folder, with)
				after, _ := unfitIn(t, folder, without)
				isRequired := !slices.EqualFunc(before, after, func(a, b openapi.Problem) bool { return a.Field == b.Field && a.Text == b.Text })
				switch {
				case said == accepted && len(after) > 0:
					t.Errorf("%s: %v: false alarm without %s: %v", key, n.path, field, after)
				case said == refused && !isRequired && n.isRequired() && !slices.Contains(missed, field):
					t.Errorf("%s: %v: not found without %s: %v", key, n.path, field, answer(s, without))
				case said == refused:
					proven[field]++
				case said == open && isRequired:
					unproven[field] = fmt.Sprintf("%s: %v: %v", key, n.path, answer(s, without))
				}
			}
		}
	}
	for field, where := range unproven {
		if proven[field] == 0 {
			t.Errorf("%s is required, and the server has not said so: %s", field, where)
		}
	}
	t.Logf("%d kinds: %v", kinds, decided)
	if kinds < 50 || decided[refused] < 200 || decided[accepted] < 20 {
		t.Errorf("the server was asked of %d kinds only: %v", kinds, decided)
	}
}

// missed are required fields without which the server refuses some objects and takes others: an event of the namespace
// default needs no object, and the source of the data of a claim is dropped if no driver is known for its group.
var missed = []string{"Event.involvedObject", "TypedLocalObjectReference.kind"}

func minimal(s *story.Story, gvk schema.GroupVersionKind, resource metav1.APIResource) map[string]any {
	metadata := map[string]any{"name": "oracle-" + s.Namespace}
	if resource.Namespaced {
		metadata["namespace"] = s.Namespace
	}
	return map[string]any{"apiVersion": gvk.GroupVersion().String(), "kind": gvk.Kind, "metadata": metadata}
}
