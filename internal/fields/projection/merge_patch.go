package projection

// MergePatch returns the merge patch that sets all of after in an object, and removes the fields that only before has.
func MergePatch(before, after map[string]any) map[string]any {
	patch := make(map[string]any, len(after))
	for name, value := range after {
		inner, isMap := value.(map[string]any)
		was, wasMap := before[name].(map[string]any)
		if isMap && wasMap {
			value = MergePatch(was, inner)
		}
		patch[name] = value
	}
	for name := range before {
		if _, stays := after[name]; !stays {
			patch[name] = nil
		}
	}
	return patch
}
