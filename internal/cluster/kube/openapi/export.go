package openapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/openapi"
)

// Export returns the files of a folder with the schemas of a server, by name, VersionFile included, and what that one
// says: one GET for the version, one for the index and one for each group version. A group version that the server
// cannot give has no text, and makes an error; it stays among the files. One that has gone since the server gave the
// index is left out. Without the index there are no texts.
func Export(ctx context.Context, server discovery.DiscoveryInterface) (Exported, map[string][]byte, error) {
	version, err := server.ServerVersion()
	if err != nil {
		return Exported{}, nil, err
	}
	documents, err := openapi.ToClientWithContext(server.OpenAPIV3()).PathsWithContext(ctx)
	if err != nil {
		return Exported{}, nil, err
	}
	exported := Exported{GitVersion: version.GitVersion, Major: version.Major, Minor: version.Minor}
	texts := map[string][]byte{}
	var failures []error
	for _, path := range slices.Sorted(maps.Keys(documents)) {
		gv, is := groupVersionAt(path)
		if !is {
			continue
		}
		text, err := documents[path].SchemaWithContext(ctx, runtime.ContentTypeJSON)
		if apierrors.IsNotFound(err) {
			continue
		}
		exported.Files = append(exported.Files, FileOf(gv))
		if err == nil {
			text, err = schemasOnly(text)
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("the schemas of %s could not be read: %w", gv, err))
			continue
		}
		texts[FileOf(gv)] = text
	}
	slices.Sort(exported.Files)
	texts[VersionFile], err = indented(exported)
	return exported, texts, errors.Join(append(failures, err)...)
}

// groupVersionAt returns the group version of a path of the index; false if it has none.
func groupVersionAt(path string) (schema.GroupVersion, bool) {
	switch parts := strings.Split(path, "/"); {
	case len(parts) == 2 && parts[0] == "api":
		return schema.GroupVersion{Version: parts[1]}, true
	case len(parts) == 3 && parts[0] == "apis":
		return schema.GroupVersion{Group: parts[1], Version: parts[2]}, true
	}
	return schema.GroupVersion{}, false
}

// schemasOnly returns a document of OpenAPI v3 without its paths, which are most of it, and without the version of the
// server, with sorted names.
func schemasOnly(text []byte) ([]byte, error) {
	var document struct {
		OpenAPI    string `json:"openapi"`
		Components struct {
			Schemas map[string]any `json:"schemas"`
		} `json:"components"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // A large number keeps its digits.
	if err := decoder.Decode(&document); err != nil {
		return nil, err
	}
	return indented(document)
}

func indented(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return text.Bytes(), err
}
