package chart

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	release "helm.sh/helm/v4/pkg/release/v1"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Hook is an object that is created for an event in the life of a chart.
type Hook struct {
	manifest.Manifest
	// Key names the hook among those of its chart.
	Key string
	// Events are those of Helm, pre-install for instance.
	Events []string
	// Weight orders the hooks of an event, and place those of one weight.
	Weight int
	place  string
	// Policies say when the object is deleted; before-hook-creation if the manifest sets none.
	Policies []string
}

// HasPolicy reports whether a policy deletes the object.
func (h Hook) HasPolicy(policy release.HookDeletePolicy) bool {
	return slices.Contains(h.Policies, string(policy))
}

var events = []string{
	string(release.HookPreInstall), string(release.HookPostInstall), string(release.HookPreDelete),
	string(release.HookPostDelete), string(release.HookPreUpgrade), string(release.HookPostUpgrade),
	string(release.HookPreRollback), string(release.HookPostRollback), string(release.HookTest), "test-success",
}

// IsLeft reports whether nothing but helm test or helm rollback runs the hook.
func (h Hook) IsLeft() bool {
	runs := func(event string) bool {
		return !strings.HasPrefix(event, "test") && !strings.HasSuffix(event, "-rollback")
	}
	return len(h.Events) > 0 && !slices.ContainsFunc(h.Events, runs)
}

// hookOf returns the hook that a manifest describes. is is false if it describes none, and known if one of its events
// is not Helm's: crd-install of Helm 2, for instance.
func hookOf(key string, of manifest.Manifest) (hook Hook, is, known bool) {
	metadata, _ := of.Object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	if annotations[release.HookAnnotation] == nil {
		return Hook{}, false, false
	}
	hook = Hook{Manifest: of, Key: key, Events: words(annotations[release.HookAnnotation])}
	hook.Policies = words(annotations[release.HookDeleteAnnotation])
	if len(hook.Policies) == 0 {
		hook.Policies = []string{string(release.HookBeforeHookCreation)}
	}
	weight, _ := annotations[release.HookWeightAnnotation].(string)
	hook.Weight, _ = strconv.Atoi(weight) // As in Helm, what is no number is 0.
	if hook.place, _ = annotations[placeAnnotation].(string); hook.place == "" {
		hook.place = of.Name
	}
	unknown := func(event string) bool { return !slices.Contains(events, event) }
	return hook, true, !slices.ContainsFunc(hook.Events, unknown)
}

// Ends reports whether an object is one that ends, a Job or a Pod: the next hook waits for it.
func Ends(id manifest.Identity) bool { return id.IsJob() || id.APIVersion == "v1" && id.Kind == "Pod" }

// placeAnnotation is our annotation with the place of an item of a List among the hooks of its weight.
const placeAnnotation = "k8sconnect.io/hook-place"

// spread makes each item of a List that is a hook a hook of its own. Helm creates all items, and then waits for those
// that end, so these come last here. Like Helm, it does not look at their own annotations for hooks. number is that of
// the List among the hooks of its file: most Lists have no name.
func spread(list *release.Hook, number int, items []manifest.Located) error {
	slices.SortStableFunc(items, func(a, b manifest.Located) int {
		switch endsA, endsB := Ends(a.Identity), Ends(b.Identity); {
		case endsA == endsB:
			return 0
		case endsA:
			return 1
		}
		return -1
	})
	for i := range items {
		item := (&unstructured.Unstructured{Object: items[i].Object}).DeepCopy().Object
		for name, value := range map[string]string{
			release.HookAnnotation:       joined(list.Events),
			release.HookDeleteAnnotation: joined(list.DeletePolicies),
			release.HookWeightAnnotation: strconv.Itoa(list.Weight),
			// No name has a blank.
			placeAnnotation: fmt.Sprintf("%s %s %04d %04d", list.Name, list.Path, number, i),
		} {
			if err := unstructured.SetNestedField(item, value, "metadata", "annotations", name); err != nil {
				return err
			}
		}
		text, err := yaml.Marshal(item)
		if err != nil {
			return err
		}
		if items[i].Manifest, err = manifest.Parse(string(text)); err != nil {
			return err
		}
	}
	return nil
}

// joined returns the value of an annotation with a list.
func joined[T ~string](values []T) string {
	var all []string
	for _, value := range values {
		all = append(all, string(value))
	}
	return strings.Join(all, ",")
}

// words returns the values of an annotation with a list.
func words(annotation any) []string {
	text, _ := annotation.(string)
	var found []string
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.ToLower(strings.TrimSpace(word)); word != "" {
			found = append(found, word)
		}
	}
	return found
}

// NoHookError reports a manifest that is not a hook.
type NoHookError struct{ Key string }

func (e *NoHookError) Error() string {
	return e.Key + " has no annotation " + release.HookAnnotation + ", or an event in it that is not one of Helm"
}

// Hooks returns the hooks of manifests, in the order in which Helm runs those of one event. The error is a
// *manifest.Error or a *NoHookError; key is that of the manifest.
func Hooks(texts map[string]string) (hooks []Hook, key string, err error) {
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		parsed, err := manifest.Parse(texts[key])
		if err != nil {
			return nil, key, err
		}
		hook, is, known := hookOf(key, parsed)
		if !is || !known {
			return nil, key, &NoHookError{key}
		}
		if err := parsed.CheckTexts(); err != nil && !hook.IsLeft() {
			return nil, key, err
		}
		hooks = append(hooks, hook)
	}
	slices.SortStableFunc(hooks, func(a, b Hook) int {
		return cmp.Or(cmp.Compare(a.Weight, b.Weight), cmp.Compare(a.place, b.place), compareKinds(a.Kind, b.Kind))
	})
	return hooks, "", nil
}

// compareKinds compares kinds by the order in which Helm installs them. Those that Helm does not know come last.
func compareKinds(a, b string) int {
	place := func(kind string) int {
		if at := slices.Index(releaseutil.InstallOrder, kind); at >= 0 {
			return at
		}
		return len(releaseutil.InstallOrder)
	}
	return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
}
