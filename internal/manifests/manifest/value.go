package manifest

// Of returns the manifest of an object that was not read from a string, and that has the types that JSON decodes. Text
// is its canonical JSON. Every failure is an *Error.
func Of(object map[string]any) (Manifest, error) {
	// Before identify, which removes empty fields of the API server from object.
	text, err := Canonical(object)
	if err != nil {
		return Manifest{}, notJSON()
	}
	m, err := identify(object)
	if err != nil {
		return Manifest{}, err
	}
	m.Text = text
	return m, nil
}

// CheckPartOf returns an *Error if an object cannot be a part of any object.
func CheckPartOf(object map[string]any) error {
	at := directive(object, "")
	if at == "" {
		return nil
	}
	return &Error{
		Problem: at + " is a directive of strategic merge patches, which server-side apply does not know",
		Suggestion: "Write only fields and their values. Server-side apply merges lists by the keys of their items, " +
			"and a field that leaves the configuration leaves the object if this resource added it.",
	}
}

// PartOf does what ParsePart does, for an object that was not read from a string. object is mutated.
func PartOf(object map[string]any, id Identity) (Manifest, error) {
	if err := CheckPartOf(object); err != nil {
		return Manifest{}, err
	}
	if err := sameIdentity(object, id); err != nil {
		return Manifest{}, err
	}
	if err := onlyOf(object, id.Subresource); err != nil {
		return Manifest{}, err
	}
	m, err := identify(Identified(object, id))
	if err != nil {
		return Manifest{}, err
	}
	m.Subresource = id.Subresource
	m.Text, err = Canonical(m.Object)
	return m, err
}

func notJSON() *Error {
	return &Error{
		Problem:    "the text has a value that JSON cannot represent",
		Suggestion: "Use strings, numbers, booleans, lists and maps with string keys.",
	}
}
