package worlds_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

// check compares what the apply of a set did with what its plan said, and its state with the cluster.
func (v *sets) check(at step, done setApply) error {
	if done.failed != nil && !done.isDisturbed && !v.isRuled(done.failed) {
		return broke(at, "a plan that passed does not fail in the apply", fmt.Sprintf("set %d: %s", done.n, done.failed))
	}
	if done.failed == nil {
		planned := done.second.value
		if err := broke(at, "the result is what was planned", named(done.n, disagreements(planned, done.next.value))...); err != nil {
			return err
		}
	}
	if err := broke(at, "nothing is deleted that was not listed", done.explain(v.deleted(done))...); err != nil {
		return err
	}
	var broken, unshown []string
	for object, was := range done.before {
		is := done.after[object]
		if is == nil || is.GetDeletionTimestamp() != nil {
			continue
		}
		losses, err := lossesOf(was, is, v.managerOf(done))
		if err != nil {
			return err
		}
		if done.isDisturbed || done.destroys {
			losses = slices.DeleteFunc(losses, v.isOfPolicy)
		}
		about := v.about(done.told, object)
		shown, kept := v.shown(done, object, losses), listed(v.about(done.first.warnings, object), keeps)
		for _, loss := range losses {
			if keepsValue(kept, was, loss.Path) && len(shownBy(about, loss)) == 0 {
				broken = append(broken, v.idOf(object)+": "+loss.String())
			}
		}
		if was.GetUID() != is.GetUID() {
			continue // The plan says that the object is deleted, and all of it is.
		}
		for _, loss := range shown.Unshown(was.Object, losses) {
			if done.holding.hides() && len(loss.Owners) == 0 {
				continue // A plan that does not know the manifest cannot know that it changes a default.
			}
			unshown = append(unshown, v.idOf(object)+": "+loss.String())
		}
	}
	if err := broke(at, "what a plan says to stay stays", done.explain(broken)...); err != nil {
		return err
	}
	if err := broke(at, "a plan shows every value that its apply changes or removes", done.explain(unshown)...); err != nil {
		return err
	}
	return broke(at, "the state has what was applied, and nothing else", done.explain(v.lost(done))...)
}

func (d setApply) explain(wrong []string) []string {
	if len(wrong) == 0 {
		return nil
	}
	return append(named(d.n, wrong), "warnings: "+strings.Join(d.first.warnings, "\n"), "told by the apply: "+strings.Join(d.told, "\n"))
}

// managerOf returns the field manager of a set.
func (v *sets) managerOf(done setApply) string {
	if manager := done.prior.manager(); manager != "" {
		return manager
	}
	return done.next.manager()
}

// about returns the messages that name an object.
func (v *sets) about(messages []string, object int) []string {
	return slices.DeleteFunc(slices.Clone(messages), func(text string) bool { return !strings.Contains(text, v.idOf(object)) })
}

// shown returns what the plan of a set shows of an object: the manifest before and after, and drift.
func (v *sets) shown(done setApply, object int, losses []livediff.Loss) livediff.Shown {
	was, drifted := v.manifestOf(done.prior, object)
	planned := map[string]any{}
	if !done.destroys {
		planned, _ = v.manifestOf(state{value: done.first.value}, object)
	}
	shown := livediff.Shown{
		State: map[string]string{}, Planned: map[string]string{}, Warnings: v.about(done.first.warnings, object), Applied: v.about(done.told, object),
	}
	for _, loss := range losses {
		for end := 1; end <= len(loss.Path); end++ {
			path := loss.Path[:end]
			before, had := livediff.Lookup(was, path)
			now, has := livediff.Lookup(planned, path)
			for _, field := range path.Texts() {
				if live, is := drifted[field]; is {
					shown.State[field] = live
				} else if had {
					shown.State[field] = spelled(before, loss.Was)
				}
				if has && drifted[field] == "" {
					shown.Planned[field] = spelled(now, loss.Was)
				}
			}
		}
	}
	return shown
}

// spelled returns a value of a manifest as the live object has it, if that is another spelling of the same quantity.
func spelled(value, live any) string {
	one, err := resource.ParseQuantity(livediff.Text(value))
	other, otherErr := resource.ParseQuantity(livediff.Text(live))
	if err == nil && otherErr == nil && one.Equal(other) {
		return livediff.Text(live)
	}
	return livediff.Text(value)
}

// manifestOf returns the manifest of an object in a state or a plan, and the values that drifted shows of it.
func (v *sets) manifestOf(s state, object int) (map[string]any, map[string]string) {
	for key, manifest := range entriesOf(s) {
		if named, is := bodyOf(manifest); is && named.GetName() == v.objects[object].name() && named.GetKind() == v.body(entry{object: object}).GetKind() {
			return withProtocols(named.Object).(map[string]any), attributeOf(s.value, "drifted", key)
		}
	}
	return nil, nil
}

// withProtocols gives ports the protocol that the server fills in, which is one of their keys.
func withProtocols(value any) any {
	switch value := value.(type) {
	case map[string]any:
		ports, _ := value["ports"].([]any)
		for _, port := range ports {
			if fields, is := port.(map[string]any); is && fields["protocol"] == nil {
				fields["protocol"] = "TCP"
			}
		}
		for _, part := range value {
			withProtocols(part)
		}
	case []any:
		for _, part := range value {
			withProtocols(part)
		}
	}
	return value
}

// entriesOf returns the manifests of a state or a plan, by their keys.
func entriesOf(s state) map[string]tftypes.Value {
	var attributes map[string]tftypes.Value
	if s.value.IsNull() || s.value.As(&attributes) != nil {
		return nil
	}
	all, _ := parts(attributes["manifests"])
	return all
}

// bodyOf reads a manifest, of which some values may be unknown.
func bodyOf(manifest tftypes.Value) (*unstructured.Unstructured, bool) {
	var written string
	if manifest.IsKnown() && manifest.As(&written) == nil {
		fields := map[string]any{}
		if yaml.Unmarshal([]byte(written), &fields) != nil {
			return nil, false
		}
		return &unstructured.Unstructured{Object: exact(fields)}, true
	}
	fields, isMap := plain(manifest).(map[string]any)
	if !isMap {
		return nil, false
	}
	return &unstructured.Unstructured{Object: exact(fields)}, true
}

// plain returns a value without its types. What is unknown is told as such.
func plain(value tftypes.Value) any {
	switch {
	case !value.IsKnown():
		return "(known after the apply)"
	case value.IsNull():
		return nil
	}
	var fields map[string]tftypes.Value
	if value.As(&fields) == nil {
		all := map[string]any{}
		for name, field := range fields {
			all[name] = plain(field)
		}
		return all
	}
	var items []tftypes.Value
	if value.As(&items) == nil {
		all := []any{}
		for _, item := range items {
			all = append(all, plain(item))
		}
		return all
	}
	var text string
	var number big.Float
	var truth bool
	switch {
	case value.As(&text) == nil:
		return text
	case value.As(&truth) == nil:
		return truth
	case value.As(&number) == nil:
		whole, _ := number.Int64()
		return whole
	}
	return nil
}

// attributeOf returns an element of an attribute that is a map of maps.
func attributeOf(value tftypes.Value, name, key string) map[string]string {
	var attributes, elements map[string]tftypes.Value
	if value.IsNull() || value.As(&attributes) != nil || !attributes[name].IsKnown() || attributes[name].As(&elements) != nil {
		return nil
	}
	if _, has := elements[key]; !has {
		return nil
	}
	return attribute(attributes[name], key)
}

// deleted returns the objects that the apply of a set has deleted although it should not have, or without a word.
func (v *sets) deleted(done setApply) []string {
	var wrong []string
	configured, hasFailed := map[int]bool{}, false
	open := attribute(done.next.value, "pending")
	for key, e := range done.holding.entries {
		_, isOpen := open[key]
		configured[e.object], hasFailed = !done.destroys, hasFailed || isOpen && done.failed != nil && !done.destroys
	}
	for object, was := range done.before {
		is := done.after[object]
		if is != nil && is.GetUID() == was.GetUID() && (is.GetDeletionTimestamp() == nil) == (was.GetDeletionTimestamp() == nil) {
			continue
		}
		had, _ := v.manifestOf(done.prior, object)
		isListed := slices.ContainsFunc(v.about(done.told, object), func(text string) bool {
			return strings.HasPrefix(text, "Objects Deleted") || strings.HasPrefix(text, "Immutable Field")
		})
		switch {
		case had == nil:
			wrong = append(wrong, v.idOf(object)+" is gone, and was not in the set")
		case !configured[object] && (done.destroys && releases(done.prior) || !done.destroys && done.holding.releases(object)):
			wrong = append(wrong, v.idOf(object)+" is gone, and should have been released")
		case !configured[object] && hasFailed && !done.isReplaced && !done.wasTainted:
			wrong = append(wrong, v.idOf(object)+" is gone, and objects that stay could not be applied")
		case !done.destroys && !done.isReplaced && !isListed: // The plan of a replacement lists all in objects.
			wrong = append(wrong, v.idOf(object)+" is gone, and no message lists it")
		case configured[object] && is == nil && (done.failed == nil || !done.isDisturbed):
			wrong = append(wrong, fmt.Sprintf("%s is gone, and the configuration has it: %v", v.idOf(object), done.failed))
		}
	}
	return wrong
}

// releases reports whether an object that leaves a set stays, by its configuration.
func (h holding) releases(object int) bool {
	return h.onDestroy == "release" || h.onDestroy == handOver || slices.Contains(h.given, object)
}

// releases reports whether the objects of a state stay when it is destroyed.
func releases(s state) bool {
	onDestroy := s.onDestroy()
	return onDestroy == "release" || onDestroy == handOver
}

// lost returns where the state of a set and the cluster disagree.
func (v *sets) lost(done setApply) []string {
	var wrong []string
	inState := map[int]bool{}
	for key, manifest := range entriesOf(done.next) {
		body, _ := bodyOf(manifest)
		object := slices.IndexFunc(v.objects, func(w *world) bool { return w.name() == body.GetName() })
		inState[object] = true
		if done.after[object] == nil && (!done.isDisturbed || done.before[object] != nil) {
			wrong = append(wrong, fmt.Sprintf("%s is in the state as %s, and not on the cluster", v.idOf(object), key))
		}
	}
	manager := v.managerOf(done)
	for object, live := range done.after {
		owns := slices.ContainsFunc(live.GetManagedFields(), func(e metav1.ManagedFieldsEntry) bool { return e.Manager == manager && e.Operation == "Apply" })
		if owns && !inState[object] {
			wrong = append(wrong, v.idOf(object)+" has fields of the set, and is not in the state")
		}
	}
	if done.destroys {
		return wrong
	}
	open := attribute(done.next.value, "pending")
	for key, e := range done.holding.entries {
		_, isOpen := open[key]
		holds := v.holds(done.next, key, e)
		switch {
		case done.failed == nil && !holds:
			wrong = append(wrong, v.idOf(e.object)+" is not in the state as configured")
		case done.failed != nil && !holds && !isOpen:
			wrong = append(wrong, v.idOf(e.object)+" is neither in the state as configured nor pending")
		}
	}
	if done.failed == nil && len(open) > 0 {
		wrong = append(wrong, fmt.Sprintf("the apply has succeeded, and pending is %v", slices.Sorted(maps.Keys(open))))
	}
	return wrong
}

// holds reports whether a state has an entry as configured, and its object under the same key.
func (v *sets) holds(s state, key string, e entry) bool {
	manifest, has := entriesOf(s)[key]
	if !has {
		return false
	}
	body, is := bodyOf(manifest)
	isUnderKey := strings.HasSuffix(attributeOf(s.value, "objects", key)["id"], ",name="+v.objects[e.object].name())
	return is && isUnderKey && livediff.Text(body.Object) == livediff.Text(v.body(e).Object)
}
