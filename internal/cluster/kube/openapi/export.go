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
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/openapi"
)

// exportAttempts are the pauses before an export reads the index again: the server gives up requests for schemas that
// change, and has none yet of a definition that has just been created.
var exportAttempts = wait.Backoff{Duration: time.Second / 2, Factor: 2, Steps: 4}

// Export returns the files of a folder with the schemas of a server, by name, VersionFile included, and the content of
// that one. It sends one GET for the version, one for the index and one for each group version, and repeats those that
// failed. If the server does not return the schema of a group version, Export returns an error, and lists the file
// without content. A group version that is gone since the server returned the index is left out. Without the index, or
// if it has no group version, no file is returned.
func Export(ctx context.Context, server discovery.DiscoveryInterface) (Exported, map[string][]byte, error) {
	version, err := server.ServerVersion()
	if err != nil {
		return Exported{}, nil, err
	}
	exported := Exported{GitVersion: version.GitVersion, Major: version.Major, Minor: version.Minor}
	var failed error
	texts := map[string][]byte{}
	err = wait.ExponentialBackoffWithContext(ctx, exportAttempts, func(ctx context.Context) (bool, error) {
		documents, err := openapi.ToClientWithContext(server.OpenAPIV3()).PathsWithContext(ctx)
		if err != nil {
			return false, err
		}
		exported.Files, failed = readAll(ctx, documents, texts)
		return failed == nil, nil
	})
	switch {
	case err == nil && exported.Files == nil:
		return Exported{}, nil, errors.New("the server publishes no schemas: its index at /openapi/v3 is empty")
	case exported.Files == nil, err != nil && !wait.Interrupted(err): // A timeout of the index is an interruption, too.
		return Exported{}, nil, err
	}
	maps.DeleteFunc(texts, func(name string, _ []byte) bool { return !slices.Contains(exported.Files, name) })
	texts[VersionFile], err = indented(exported)
	return exported, texts, errors.Join(failed, err)
}

// readAll reads the documents of an index that are not in texts yet, and returns the names of all, sorted.
func readAll(
	ctx context.Context, documents map[string]openapi.GroupVersionWithContext, texts map[string][]byte,
) (files []string, failed error) {
	for _, path := range slices.Sorted(maps.Keys(documents)) {
		gv, is := groupVersionAt(path)
		if _, isRead := texts[FileOf(gv)]; !is || isRead {
			if is {
				files = append(files, FileOf(gv))
			}
			continue
		}
		text, err := documents[path].SchemaWithContext(ctx, runtime.ContentTypeJSON)
		if apierrors.IsNotFound(err) {
			continue
		}
		files = append(files, FileOf(gv))
		if err == nil {
			text, err = schemasOnly(text)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("the schemas of %s could not be read: %w", gv, err))
			continue
		}
		texts[FileOf(gv)] = text
	}
	slices.Sort(files)
	return files, failed
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
