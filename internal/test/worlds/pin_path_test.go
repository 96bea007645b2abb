package worlds_test

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

// declares reports whether a value has a path, or another value on its way.
func declares(body any, field livediff.Path) bool {
	if len(field) == 0 {
		return true
	}
	switch body := body.(type) {
	case map[string]any:
		part, has := body[strings.TrimPrefix(field[0], "f:")]
		return has && declares(part, field[1:])
	case []any:
		if strings.HasPrefix(field[0], "f:") {
			return true
		}
		return slices.ContainsFunc(body, func(item any) bool { return isItem(item, field[0]) && declares(item, field[1:]) })
	default:
		return true
	}
}

// isItem reports whether an item of a list is the one that managedFields calls element.
func isItem(item any, element string) bool {
	if text, isMember := strings.CutPrefix(element, "v:"); isMember {
		encoded, err := json.Marshal(item)
		return err == nil && string(encoded) == text
	}
	var keys map[string]any
	fields, isMap := item.(map[string]any)
	return isMap && json.Unmarshal([]byte(strings.TrimPrefix(element, "k:")), &keys) == nil && matches(fields, keys)
}

// isKey reports whether a field is one of the keys of the list item that it is in.
func isKey(field livediff.Path) bool { return endsWithKey(field.String()) }

func endsWithKey(text string) bool {
	item, name, isField := strings.Cut(text[strings.LastIndex(text, "[")+1:], "].")
	return isField && slices.ContainsFunc(strings.Split(item, ","), func(key string) bool { return strings.HasPrefix(key, name+"=") })
}

// othersHave reports whether a manager other than manager owns a part of a field.
func othersHave(claims *livediff.Claims, manager string) bool {
	found := false
	if claims != nil {
		isOther := func(owner string) bool { return owner != manager }
		found = slices.ContainsFunc(claims.Owners, isOther)
		claims.Each(func(_ livediff.Path, owners []string, _ bool) { found = found || slices.ContainsFunc(owners, isOther) })
	}
	return found
}

// isAway reports whether a field is in a list item that the body does not have, and that the object does not have or
// only we own a part of. An item that no manager owns is there.
func (w *world) isAway(c configuration, m moment, field livediff.Path) bool {
	body := w.body(c).Object
	for n, element := range field {
		item := field[:n+1]
		if strings.HasPrefix(element, "f:") || declares(body, item) {
			continue
		}
		held := m.claims.At(item)
		if _, has := livediff.Lookup(m.object, item); !has || held != nil && !othersHave(held, c.manager()) {
			return true
		}
	}
	return false
}

// leavesBody reports whether a field is in a list item that the body of the last apply had, that this one does not
// have, and that no other manager owns. Who is taken over does not count: their claims end where our fields leave, so
// that the item goes as one of ours alone does.
func (w *world) leavesBody(c configuration, m moment, field livediff.Path) bool {
	body := w.body(c).Object
	for n, element := range field {
		item := field[:n+1]
		if !strings.HasPrefix(element, "f:") && declares(w.declared, item) && !declares(body, item) {
			held := m.claims.At(item)
			return held != nil && !slices.ContainsFunc(held.Owners, func(owner string) bool { return owner != c.manager() && !slices.Contains(w.takesOver(c), owner) })
		}
	}
	return false
}
