package story

import (
	"encoding/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve/envelope"
)

// PrivateInClear returns the content of private state as the provider reads it: a JSON object of documents.
func PrivateInClear(stored []byte) (json.RawMessage, error) {
	opened, err := envelope.Open(stored)
	if err != nil || len(opened) == 0 {
		return nil, err
	}
	var values map[string][]byte
	if err := json.Unmarshal(opened, &values); err != nil {
		return nil, err
	}
	documents := map[string]json.RawMessage{}
	for key, value := range values {
		documents[key] = value
	}
	return json.Marshal(documents)
}
