package privatestate

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Document returns the JSON document that a value of private state is. Before the server compressed private state as a whole, each value was a
// JSON string: the document as zlib in base64.
func Document(value []byte) ([]byte, error) {
	if len(value) == 0 || value[0] != '"' {
		return value, nil
	}
	var compressed []byte
	if err := json.Unmarshal(value, &compressed); err != nil {
		return nil, err
	}
	reader, err := zlib.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
	}
	document, err := io.ReadAll(reader)
	return document, errors.Join(err, reader.Close())
}
