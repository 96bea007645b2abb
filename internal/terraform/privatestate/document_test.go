package privatestate

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"strings"
	"testing"
)

func TestDocument(t *testing.T) {
	t.Parallel()
	const document = `{"uid":"u"}`
	var packed bytes.Buffer
	writer := zlib.NewWriter(&packed)
	_, _ = writer.Write([]byte(document))
	_ = writer.Close()
	old, err := json.Marshal(packed.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"as it is": document, "of an earlier version": string(old)} {
		if got, err := Document([]byte(value)); err != nil || string(got) != document {
			t.Errorf("%s: %s, %v, want %s", name, got, err, document)
		}
	}
}

// A document that is damaged is an error.
func TestDocumentErrors(t *testing.T) {
	t.Parallel()
	for value, says := range map[string]string{
		`"eJ"`:       "base64",
		`"AAAA"`:     "decompress: zlib: invalid header",
		`"eJyqVkpT"`: "unexpected EOF",
	} {
		if got, err := Document([]byte(value)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q, %v, want an error that says %q", value, got, err, says)
		}
	}
}
