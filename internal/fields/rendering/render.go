package rendering

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/difference"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// largest is the maximum size in bytes of a value that is shown in full.
const largest = 4096

// Renderer renders the values of one object for display.
type Renderer struct {
	// Secret is true if the object is a Secret: values under data and stringData are shown as a keyed
	// digest, never in clear.
	Secret bool
	// Sensitive covers further fields whose values, and those below, are secret.
	Sensitive paths.Patterns
	// WriteOnly covers those of Sensitive whose values are stored nowhere, not even as a digest.
	WriteOnly paths.Patterns
	// Copied covers annotations and labels that contain secret values; see CopiesIn. The annotation of kubectl apply
	// counts in any case.
	Copied paths.Patterns
	// DigestKey keys the digests of secret values. While it is empty they are shown as "(sensitive)".
	DigestKey []byte
}

// digestMark is how the digest of a secret value begins.
const digestMark = "(sensitive, hmac-sha256:"

// Redacted is shown instead of a secret value if the key for its digest does not exist.
const Redacted = "(sensitive)"

// Unstored is shown instead of a write-only value.
const Unstored = "(sensitive, write-only)"

// UnstoredPrint is the fingerprint of every write-only value.
const UnstoredPrint = "#" + Unstored

// Text returns a value as attributes and warnings show it: strings as Terraform keeps them, in Unicode's normal form C,
// everything else as JSON, values over 4 KiB as their size and digest, secret values as a digest that can be compared
// only with those of the same object, and write-only values as Unstored.
func (r Renderer) Text(path paths.Path, value any) string {
	if r.holdsSecret(path, value) {
		return r.secretText(path, value)
	}
	text, isString := value.(string)
	if !isString {
		text = projection.JSON(value)
	}
	if text = norm.NFC.String(text); len(text) > largest {
		sum := sha256.Sum256([]byte(text))
		return fmt.Sprintf("(%d bytes, sha256:%s)", len(text), hex.EncodeToString(sum[:]))
	}
	return text
}

// IsSecret reports whether the value at path is secret.
func (r Renderer) IsSecret(path paths.Path) bool { return r.isSecret(path, r.cursorAt(path)) }

// isSecret does what IsSecret does; at is the cursor of the sensitive patterns at path.
func (r Renderer) isSecret(path paths.Path, at paths.Cursor) bool {
	if at.Matched() {
		return true
	}
	if !r.HasSecrets() || len(path) == 0 || path[0].FieldName == nil {
		return false
	}
	return r.Secret && manifest.IsSecretField(*path[0].FieldName) || r.holdsCopy(path, nil)
}

// HasSecrets reports whether any value of the object may be secret.
func (r Renderer) HasSecrets() bool { return r.Secret || len(r.Sensitive) > 0 }

// secretText returns what is shown instead of the secret value at path.
func (r Renderer) secretText(path paths.Path, value any) string {
	if r.holdsWriteOnly(path, value) {
		return Unstored
	}
	return r.digest(value)
}

// digest returns the keyed digest of a value.
func (r Renderer) digest(value any) string {
	if len(r.DigestKey) == 0 {
		return Redacted
	}
	encoded, err := json.Marshal(projection.CanonicalNumber(value))
	if err != nil {
		return Redacted
	}
	mac := hmac.New(sha256.New, r.DigestKey)
	mac.Write(encoded)
	return digestMark + hex.EncodeToString(mac.Sum(nil)[:12]) + ")"
}

// State maps the string of each leaf of declared to its value in object. A leaf without a value is left out: an empty
// map or a null that the server did not keep, or a field that another client removed. formatter writes the paths.
// Leaves that share the part of their path which may be shown share a digest.
func (r Renderer) State(object map[string]any, declared *paths.Set, formatter Formatter) map[string]string {
	state := map[string]string{}
	hidden, unstored := map[string][]any{}, map[string]bool{}
	projection.Walk(object, declared, func(field projection.Field) {
		if !field.Leaf || field.Presence != projection.Present || field.Value == nil {
			return
		}
		visible := r.RedactedPath(field.Path)
		text := formatter.Format(visible)
		if len(visible) < len(field.Path) {
			hidden[text] = append(hidden[text], []any{paths.ID(field.Path), field.Value})
			unstored[text] = unstored[text] || r.holdsWriteOnly(field.Path, field.Value)
			return
		}
		state[text] = r.Text(field.Path, field.Value)
	})
	for text, parts := range hidden {
		if state[text] = Unstored; !unstored[text] {
			state[text] = r.digest(parts)
		}
	}
	return state
}

// Fingerprints maps the ID of each leaf of fields to the fingerprint of its value in object; nil if fields is empty. A
// field without a value has none. Secret values are always digests, and write-only values Unstored.
func (r Renderer) Fingerprints(object map[string]any, fields *paths.Set) map[string]string {
	if fields.Empty() {
		return nil
	}
	prints := map[string]string{}
	projection.Walk(object, fields, func(field projection.Field) {
		if field.Presence == projection.Present && field.Value != nil {
			prints[paths.ID(field.Path)] = r.Fingerprint(field.Path, field.Value)
		}
	})
	return prints
}

// Fingerprint returns a keyed digest of a secret value, the same string for all write-only values, and the result of
// projection.Fingerprint for any other value.
func (r Renderer) Fingerprint(path paths.Path, value any) string {
	if r.holdsSecret(path, value) {
		return "#" + r.secretText(path, value)
	}
	return projection.Fingerprint(value)
}

// SecretFields returns patterns of the fields of a Secret whose values are secret.
func SecretFields() paths.Patterns {
	patterns, _ := paths.ParseAll(manifest.SecretFields())
	return slices.Concat(patterns, copyPatterns)
}

// CopyFields returns patterns of the annotations in which tools are known to keep a copy of an object.
func CopyFields() paths.Patterns { return copyPatterns }

// Difference returns how two long values of a field differ; see [difference.Of]. It returns nil if one of them holds a
// secret.
func (r Renderer) Difference(path paths.Path, before, after any) []string {
	return r.unlessSecret(path, before, after, difference.Of)
}

// Parts is [Renderer.Difference] of maps and lists of any length; nil for other values.
func (r Renderer) Parts(path paths.Path, before, after any) []string {
	return r.unlessSecret(path, before, after, difference.Parts)
}

func (r Renderer) unlessSecret(path paths.Path, before, after any, of func(before, after any) []string) []string {
	if r.holdsSecret(path, before) || r.holdsSecret(path, after) {
		return nil
	}
	return of(before, after)
}

// Plain returns a value as other parts of a configuration take it: strings as they are, everything else as JSON. It
// shortens and hides nothing.
func Plain(value any) string {
	if text, isString := value.(string); isString {
		return text
	}
	return projection.JSON(value)
}

// orderMark is how the order of a list begins where attributes and warnings show it.
const orderMark = "order: "

// IsOrder reports whether a string is one of [Renderer.Order]. It returns false for an order so long that only its
// digest is shown.
func IsOrder(text string) bool { return strings.HasPrefix(text, orderMark) }

// Order returns the order of a list as attributes and warnings show it: the keys of its items. It returns false if the
// keys may be secret.
func (r Renderer) Order(order projection.Order) (string, bool) {
	var items []string
	for _, item := range order.Items {
		path := paths.Below(order.Path, item)
		if len(r.RedactedPath(path)) < len(path) || r.IsSecret(path) {
			return "", false
		}
		keys := paths.KeyFields(item)
		var values []string
		for _, name := range slices.Sorted(maps.Keys(keys)) {
			values = append(values, r.Text(nil, keys[name]))
		}
		items = append(items, strings.Join(values, "/"))
	}
	return r.Text(order.Path, orderMark+strings.Join(items, ", ")), true
}

// Orders maps the string of each list in which object and body do not have the common items of fields in the same order
// to the order in object. Lists whose keys may be secret are left out.
func (r Renderer) Orders(object, body map[string]any, fields *paths.Set, formatter Formatter) map[string]string {
	orders := map[string]string{}
	if len(body) == 0 {
		return orders
	}
	for _, order := range projection.Reordered(object, body, fields) {
		if text, isPublic := r.Order(order); isPublic {
			orders[formatter.Format(order.Path)] = text
		}
	}
	return orders
}

// IsReordered reports whether the common items of two results of Order are in different orders. before may be any value
// that the state shows for a list.
func IsReordered(before, after string) bool {
	was, is := strings.TrimPrefix(before, orderMark), strings.TrimPrefix(after, orderMark)
	switch {
	case is == after:
		return before != after // They are so long that only their digests are shown.
	case was == before:
		return false // It is the value of the whole list, which had one owner then.
	}
	earlier, later := strings.Split(was, ", "), strings.Split(is, ", ")
	within := func(items, others []string) []string {
		return slices.DeleteFunc(slices.Clone(items), func(item string) bool { return !slices.Contains(others, item) })
	}
	return !slices.Equal(within(earlier, later), within(later, earlier))
}

// Halves returns two values, given as attributes show them, as a reader compares them: of two long maps or two long
// lists the lines of the parts that differ, as [difference.Halves] has them; other values as they are.
func Halves(before, after string) (was, becomes string) {
	one, is := structureIn(before)
	other, isToo := structureIn(after)
	if !is || !isToo {
		return before, after
	}
	lines, more := difference.Halves(one, other)
	if lines == nil {
		return before, after
	}
	return strings.Join(lines, "\n"), strings.Join(more, "\n")
}

// structureIn returns the map or list whose JSON a string is; false for another string.
func structureIn(text string) (value any, is bool) {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return nil, false
	}
	err := json.Unmarshal([]byte(text), &value)
	return value, err == nil
}
