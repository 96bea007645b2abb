package patches

import (
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

// operate applies the operations of a JSON patch. It returns the object, and the operations to send as JSON. before is
// not mutated.
func (p Patch) operate(before map[string]any) (map[string]any, []byte, error) {
	object, sent := before, []any{}
	for _, one := range p.operations {
		verdict, err := one.judge(object)
		if err != nil {
			return nil, nil, err
		}
		if verdict.left {
			continue
		}
		sent = append(sent, one.wire())
		if verdict.change == nil {
			continue
		}
		if object, err = verdict.change.applyTo(object); err != nil {
			return nil, nil, err
		}
	}
	body, err := encode(sent)
	return object, body, err
}

func (o *operation) applyTo(object map[string]any) (map[string]any, error) {
	text, err := encode([]any{o.wire()})
	if err != nil {
		return nil, err
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return nil, o.refused(err)
	}
	return rewrite(object, patch.Apply, o.refused)
}

// merge applies a merge patch. It returns the object, and the patch to send as JSON. before is not mutated.
func (p Patch) merge(before map[string]any) (map[string]any, []byte, error) {
	fields, err := withLists(p.fields, before, p.keysAtRoot())
	if err != nil {
		return nil, nil, err
	}
	fields = fit(fields, before, nil)
	body, err := encode(fields)
	if err != nil {
		return nil, nil, err
	}
	after, err := mergeInto(before, fields)
	return after, body, err
}

// rewrite returns the object after change, which gets and returns it as JSON.
func rewrite(
	object map[string]any, change func([]byte) ([]byte, error), refused func(error) *Error,
) (map[string]any, error) {
	text, err := encode(object)
	if err != nil {
		return nil, err
	}
	changed, err := change(text)
	if err != nil {
		return nil, refused(err)
	}
	decoded, err := decode(changed)
	if err != nil {
		return nil, err
	}
	withoutNulls(decoded)
	fields, _ := decoded.(map[string]any)
	return fields, nil
}

func (o *operation) refused(err error) *Error {
	return &Error{Problem: o.name + " does not apply: " + err.Error(), Suggestion: "Compare its path with the object."}
}

func refusedFields(err error) *Error {
	return &Error{
		Problem: "the patch does not apply: " + err.Error(), Suggestion: "Compare its fields with those of the object.",
	}
}
