package manifest

// Identified adds the object's identity to body and returns it.
func Identified(body map[string]any, id Identity) map[string]any {
	metadata, _ := body["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["name"] = id.Name
	if id.Namespace != "" {
		metadata["namespace"] = id.Namespace
	}
	body["metadata"], body["apiVersion"], body["kind"] = metadata, id.APIVersion, id.Kind
	return body
}
