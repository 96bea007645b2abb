package rendering

import (
	"archive/zip"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const (
	// largestUnpacked is the maximum size in bytes of an unpacked string; the API server takes no larger object.
	largestUnpacked = 3 << 20
	// tooLarge is the result of unpacked for a string that is larger.
	tooLarge = "\x00too large"
)

// unpacked returns a string, and its decoded content if it is base64 or compressed, or both.
func unpacked(text string) []string {
	views := []string{text}
	// A Helm release in a Secret is compressed JSON, in base64 twice.
	for range 3 {
		inner, is := unpack(views[len(views)-1])
		if !is {
			break
		}
		views = append(views, inner)
	}
	return views
}

func unpack(text string) (string, bool) {
	var reader io.Reader
	var err error
	switch {
	case strings.HasPrefix(text, "\x1f\x8b"):
		reader, err = gzip.NewReader(strings.NewReader(text))
	case strings.HasPrefix(text, "PK\x03\x04"):
		reader, err = firstInZip(text)
	case strings.HasPrefix(text, "\x78\x01"), strings.HasPrefix(text, "\x78\x9c"), strings.HasPrefix(text, "\x78\xda"):
		reader, err = zlib.NewReader(strings.NewReader(text))
	default:
		return fromBase64(text)
	}
	if err != nil {
		return "", false
	}
	inner, err := io.ReadAll(io.LimitReader(reader, largestUnpacked+1))
	if len(inner) > largestUnpacked {
		return tooLarge, true
	}
	return string(inner), err == nil
}

func firstInZip(text string) (io.Reader, error) {
	archive, err := zip.NewReader(strings.NewReader(text), int64(len(text)))
	if err != nil || len(archive.File) == 0 {
		return nil, zip.ErrFormat
	}
	return archive.File[0].Open()
}

// fromBase64 decodes a string of some length, with or without padding.
func fromBase64(text string) (string, bool) {
	text = strings.TrimRight(strings.TrimSpace(text), "=")
	if len(text) < telling {
		return "", false
	}
	plain, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		plain, err = base64.RawURLEncoding.DecodeString(text)
	}
	return string(plain), err == nil
}

// decoded returns the value of YAML or JSON; nil if a string is neither.
func decoded(text string) any {
	var value any
	if json.Unmarshal([]byte(text), &value) == nil || yaml.Unmarshal([]byte(text), &value) == nil {
		return value
	}
	return nil
}

// quotedForms returns the forms in which copies of a secret value may be written. If it is base64, the forms of the
// decoded value are included.
func quotedForms(text string) []string {
	forms := manifest.QuotedForms(text)
	if plain, is := fromBase64(text); is || decodesShort(text, &plain) {
		forms = append(forms, manifest.QuotedForms(plain)...)
	}
	return forms
}

// decodesShort decodes base64 that is too short for fromBase64.
func decodesShort(text string, plain *string) bool {
	inner, err := base64.StdEncoding.DecodeString(text)
	*plain = string(inner)
	return err == nil
}
