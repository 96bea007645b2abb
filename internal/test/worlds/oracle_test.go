package worlds_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// checkShown compares field_ownership, co_owners and managed_state with the object.
func (w *world) checkShown(s step, live *unstructured.Unstructured) error {
	claims, err := livediff.ReadClaims(live.Object)
	if err != nil {
		return err
	}
	var wrong []string
	owners, coOwners, values := attribute(w.state.value, "field_ownership"), attribute(w.state.value, "co_owners"), attribute(w.state.value, "managed_state")
	known, holders := map[string]livediff.Path{}, map[string][]string{}
	ofObject, err := ownedBesideStatus(live)
	if err != nil {
		return err
	}
	claims.Each(func(path livediff.Path, managers []string, leaf bool) {
		for _, text := range path.Texts() {
			known[text] = path
		}
		if !ofObject[path.String()] && slices.Equal(managers, []string{"kube-controller-manager"}) {
			return // The controller of Deployments has written it with the status.
		}
		switch field, has := shownAs(owners, path); {
		case has:
			holders[field] = append(holders[field], managers...)
		case hidden(owners, path) != "" && w.isPart && !slices.Contains(managers, w.state.manager()):
		case hidden(owners, path) != "":
			list := hidden(owners, path)
			holders[list] = append(holders[list], managers...)
		case !w.isPart || leaf && slices.Contains(managers, w.state.manager()) && hasContent(live, path):
			wrong = append(wrong, fmt.Sprintf("field_ownership lacks %s of %v", path, managers))
		}
	})
	for _, field := range slices.Sorted(maps.Keys(holders)) {
		switch names := slices.Compact(slices.Sorted(slices.Values(holders[field]))); {
		case !slices.Contains(names, owners[field]):
			wrong = append(wrong, fmt.Sprintf("field_ownership has %s = %s, owned by %v", field, owners[field], names))
		case len(names) > 1 && coOwners[field] != strings.Join(names, " "), len(names) == 1 && coOwners[field] != "":
			wrong = append(wrong, fmt.Sprintf("co_owners has %s = [%s], owned by %v", field, coOwners[field], names))
		}
	}
	for field := range owners {
		if _, is := known[field]; !is && !standsForItems(field, known) {
			wrong = append(wrong, fmt.Sprintf("field_ownership has %s, which nobody owns", field))
		}
	}
	for field, value := range values {
		path, is := known[field]
		if !is || strings.HasPrefix(value, "(sensitive") {
			continue // Nobody owns it any more, or it is secret.
		}
		now, has := livediff.Lookup(live.Object, path)
		if order, is := strings.CutPrefix(value, "order: "); is && isInOrder(order, now) {
			continue
		}
		if !has || !livediff.SameText(value, now) {
			wrong = append(wrong, fmt.Sprintf("managed_state has %s = %s, live it is %v", field, value, now))
		}
	}
	wrong = append(wrong, w.falseAdditions(claims, known)...)
	missing, err := w.missingAdditions(claims, known, live)
	if err != nil {
		return err
	}
	wrong = append(wrong, missing...)
	return broke(s, "the state shows who owns each field, and its value", wrong...)
}

// ownedBesideStatus returns the strings of the fields that managers own by other writes than those of the status. A
// write of the status changes annotations at most, but the family records gives its entry fields of the spec, too.
func ownedBesideStatus(live *unstructured.Unstructured) (map[string]bool, error) {
	rest := &unstructured.Unstructured{Object: map[string]any{"apiVersion": live.GetAPIVersion(), "kind": live.GetKind()}}
	rest.SetManagedFields(slices.DeleteFunc(live.GetManagedFields(), func(entry metav1.ManagedFieldsEntry) bool {
		return entry.Subresource == "status"
	}))
	claims, err := livediff.ReadClaims(rest.Object)
	if err != nil {
		return nil, err
	}
	owned := map[string]bool{}
	claims.Each(func(path livediff.Path, _ []string, _ bool) { owned[path.String()] = true })
	return owned, nil
}

// falseAdditions returns the fields of additions of which we own a part, or of which no other manager does.
func (w *world) falseAdditions(claims *livediff.Claims, known map[string]livediff.Path) []string {
	var wrong []string
	for field := range attributeKeys(w.state.value, "additions") {
		added, is := known[field]
		if !is || standsForItems(field, known) {
			continue // An item has a secret key. Its list stands for it.
		}
		owners := ownersWithin(claims, added)
		if own := w.state.manager(); slices.Contains(owners, own) || len(owners) == 0 {
			wrong = append(wrong, fmt.Sprintf("additions has %s, owned by %v", field, owners))
		}
	}
	return wrong
}

// isInOrder reports whether a list has the items of which an order names the keys, in that order.
func isInOrder(order string, value any) bool {
	items, _ := value.([]any)
	for name := range strings.SplitSeq(order, ", ") {
		at := slices.IndexFunc(items, func(item any) bool { return slices.Contains(keysInOrder(item), name) })
		if at < 0 {
			return false
		}
		items = items[at+1:]
	}
	return true
}

// keysInOrder returns the keys that a list item may have in an order.
func keysInOrder(item any) []string {
	fields, _ := item.(map[string]any)
	keys := []string{livediff.Text(fields["name"])}
	for _, port := range []string{"port", "containerPort"} {
		keys = append(keys, livediff.Text(fields[port])+"/"+livediff.Text(fields["protocol"]))
	}
	return keys
}

// shownAs returns the form in which a map has a path.
func shownAs(texts map[string]string, path livediff.Path) (string, bool) {
	for _, text := range path.Texts() {
		if _, has := texts[text]; has {
			return text, true
		}
	}
	return "", false
}

// hidden returns the list that is shown instead of a path because the path goes through an item with a secret key; "" if no
// list is.
func hidden(texts map[string]string, path livediff.Path) string {
	for end := len(path) - 1; end > 0; end-- {
		if strings.HasPrefix(path[end], "f:") {
			continue
		}
		if list, has := shownAs(texts, path[:end]); has {
			return list
		}
	}
	return ""
}

// standsForItems reports whether a field is a list of which a manager owns items.
func standsForItems(field string, known map[string]livediff.Path) bool {
	for text := range known {
		if strings.HasPrefix(text, field+"[") {
			return true
		}
	}
	return false
}

// covered reports whether a pattern of ignore_fields is at or above a path.
func covered(patterns []string, path livediff.Path) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		for end := 1; end <= len(path); end++ {
			if matchesPattern(pattern, path[:end]) {
				return true
			}
		}
		return false
	})
}

// matchesPattern compares a pattern of the menu, in which an item's keys may be a part of them or a star.
func matchesPattern(pattern string, path livediff.Path) bool {
	above, selector, isItem := strings.Cut(pattern, "[")
	if !isItem || slices.Contains(path.Texts(), pattern) {
		return slices.Contains(path.Texts(), pattern)
	}
	inner, rest, _ := strings.Cut(selector, "]")
	for end := 1; end <= len(path); end++ {
		if !slices.Contains(path[:end].Texts(), above) || end == len(path) {
			continue
		}
		if !itemMatches(inner, path[end]) {
			return false
		}
		if rest == "" {
			return end+1 == len(path)
		}
		return end+2 <= len(path) && matchesPattern(strings.TrimPrefix(rest, "."), path[end+1:])
	}
	return false
}

func itemMatches(inner, element string) bool {
	if inner == "*" {
		return !strings.HasPrefix(element, "f:")
	}
	for _, part := range strings.Split(inner, ",") {
		name, value, _ := strings.Cut(part, "=")
		if name == "" && element == "v:"+value {
			continue
		}
		var keys map[string]json.RawMessage
		if text, isItem := strings.CutPrefix(element, "k:"); !isItem || json.Unmarshal([]byte(text), &keys) != nil || string(keys[name]) != value {
			return false
		}
	}
	return true
}

// checkSecrets looks for values of a Secret in the clear.
func (w *world) checkSecrets(s step, diags []*tfprotov6.Diagnostic, private []byte) error {
	if w.kind.name != secret.name {
		return nil
	}
	document, err := story.PrivateInClear(private)
	if err != nil {
		return err
	}
	places := map[string]string{"private state": string(document)}
	for _, d := range diags {
		places["the diagnostic "+d.Summary] = d.Detail
	}
	for _, name := range []string{"field_ownership", "co_owners", "managed_state", "conflicts"} {
		places[name] = fmt.Sprint(attribute(w.state.value, name))
	}
	var leaks []string
	for place, text := range places {
		for _, value := range clear {
			if strings.Contains(text, value) {
				leaks = append(leaks, place+": "+text)
			}
		}
	}
	return broke(s, "a secret is nowhere in the clear", leaks...)
}

// unreasonable returns the errors of a plan that neither the configuration nor the server gives a reason for.
func (w *world) unreasonable(ctx context.Context, c configuration, errors []string) []string {
	return slices.DeleteFunc(slices.Clone(errors), func(text string) bool {
		switch summary, _, _ := strings.Cut(text, "\n"); summary {
		case "Field Ownership Conflict":
			return c.onConflict == "fail"
		case "Field Cannot Be Ignored Alone":
			// Keys of items and parts of atomic lists and maps cannot; nothing of the menu is one.
			return false
		default:
			return w.serverRefuses(ctx, c)
		}
	})
}

// serverRefuses reports whether the server refuses the body of a configuration, as an apply of its manager or of the one
// whose fields a new name of the manager takes along.
func (w *world) serverRefuses(ctx context.Context, c configuration) bool {
	managers := []string{c.manager(), cmp.Or(w.state.manager(), c.manager())}
	bare := object(w.whole(c), w.namespace, nil).Object // What ignore_managers leaves of the body is no more than this and less than all.
	bodies := []map[string]any{w.body(c).Object, w.withPins(c, w.body(c).Object), w.withPins(c, bare), w.withoutLeft(c)}
	return slices.ContainsFunc(bodies, func(fields map[string]any) bool {
		return slices.ContainsFunc(managers, func(manager string) bool {
			_, err := w.try(ctx, manager, fields)
			return err != nil
		})
	})
}

// withoutLeft returns a body without the fields that are left to other managers, as far as their owners are known.
func (w *world) withoutLeft(c configuration) map[string]any {
	if w.seen == nil {
		return w.body(c).Object
	}
	seen, err := at(w.seen)
	if err != nil {
		return w.body(c).Object
	}
	return w.bodyFor(c, seen)
}

// bodyFor returns a body without the fields that are left to the other clients that own them at a moment.
func (w *world) bodyFor(c configuration, m moment) map[string]any {
	kept := c.clone()
	kept.fields = slices.DeleteFunc(kept.fields, func(f choice) bool { return c.leaves(f.field(), m.claims.OwnersOf(f.field())) })
	return w.body(kept).Object
}

// try returns what the server would make of a body.
func (w *world) try(ctx context.Context, manager string, fields map[string]any) (*unstructured.Unstructured, error) {
	body, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	force := true
	return w.clientOf(apiVersion(fields)).Patch(ctx, w.name(), types.ApplyPatchType, body, metav1.PatchOptions{
		FieldManager: manager, Force: &force, DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict,
	})
}

func apiVersion(fields map[string]any) string {
	version, _ := fields["apiVersion"].(string)
	return version
}
