package chart

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	release "helm.sh/helm/v4/pkg/release/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Hook is an object that is created for an event in the life of a chart.
type Hook struct {
	manifest.Manifest
	// Key names the hook among those of its chart.
	Key string
	// Events are those of Helm, pre-install for instance.
	Events []string
	// Weight orders the hooks of an event.
	Weight int
	// Policies say when the object is deleted; before-hook-creation if the manifest says nothing.
	Policies []string
}

// HasPolicy reports whether the object is deleted as a policy says.
func (h Hook) HasPolicy(policy release.HookDeletePolicy) bool {
	return slices.Contains(h.Policies, string(policy))
}

var events = []string{
	string(release.HookPreInstall), string(release.HookPostInstall), string(release.HookPreDelete),
	string(release.HookPostDelete), string(release.HookPreUpgrade), string(release.HookPostUpgrade),
	string(release.HookPreRollback), string(release.HookPostRollback), string(release.HookTest), "test-success",
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
	unknown := func(event string) bool { return !slices.Contains(events, event) }
	return hook, true, !slices.ContainsFunc(hook.Events, unknown)
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

// NoHookError reports a manifest that is no hook.
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
		hooks = append(hooks, hook)
	}
	slices.SortStableFunc(hooks, func(a, b Hook) int {
		return cmp.Or(cmp.Compare(a.Weight, b.Weight), cmp.Compare(a.Name, b.Name))
	})
	return hooks, "", nil
}
