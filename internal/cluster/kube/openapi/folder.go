package openapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/openapi"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Folder is a folder with the schemas that a server published, one file for each group version.
type Folder string

// Exported is the content of the file VersionFile of a folder, which describes the other files.
type Exported struct {
	// GitVersion is the version of the server, Major and Minor are its parts.
	GitVersion string `json:"gitVersion"`
	Major      string `json:"major"`
	Minor      string `json:"minor"`
	// Files are the names of the files with schemas, sorted.
	Files []string `json:"files"`
}

// VersionFile is the name of the file with the version of the server.
const VersionFile = "version.json"

// FileOf returns the name of the file with the schemas of a group version.
func FileOf(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return gv.Version + ".json"
	}
	return gv.Group + "." + gv.Version + ".json"
}

// Version returns the content of VersionFile. Its error tells the user that the folder is not one with schemas.
func (f Folder) Version() (Exported, error) {
	read, err := f.read(VersionFile, func(text []byte) (any, error) {
		var exported Exported
		err := json.Unmarshal(text, &exported)
		return exported, err
	})
	exported, _ := read.(Exported)
	return exported, err
}

// Kind returns the schema of a kind; nil if the server has none of its group version, or not the kind, which a
// CustomResourceDefinition may still add. If none can, nothing fits the schema that is returned. Files are read once,
// and again after a change.
func (f Folder) Kind(kind schema.GroupVersionKind) (*Kind, error) {
	read, err := f.read(FileOf(kind.GroupVersion()), func(text []byte) (any, error) {
		published, err := parse(text)
		return published.kinds(), err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return f.withoutFile(kind.GroupVersion())
	}
	kinds, _ := read.(map[schema.GroupVersionKind]*Kind)
	if found := kinds[kind]; found != nil || err != nil || !manifest.IsBuiltinGroup(kind.Group) {
		return found, err
	}
	var names []string
	for served := range kinds {
		names = append(names, served.Kind)
	}
	slices.Sort(names)
	return &Kind{unfit: Problem{
		Field: "kind", At: []any{"kind"}, Text: "its API version has no such kind",
		Nearest: paths.SimilarNames(kind.Kind, names),
	}}, nil
}

// withoutFile does what Kind does, for a kind of a group version without a file.
func (f Folder) withoutFile(gv schema.GroupVersion) (*Kind, error) {
	exported, err := f.Version()
	switch {
	case errors.Is(err, fs.ErrNotExist), !manifest.IsBuiltinGroup(gv.Group):
		return nil, nil
	case err != nil:
		return nil, err
	case slices.Contains(exported.Files, FileOf(gv)):
		return nil, fmt.Errorf("%s is missing, and %s lists it", filepath.Join(string(f), FileOf(gv)), VersionFile)
	}
	unfit := Problem{Field: "apiVersion", At: []any{"apiVersion"}, Text: NotServed}
	for _, name := range exported.Files {
		other := schema.GroupVersion{Group: gv.Group, Version: strings.TrimSuffix(name, ".json")}
		if gv.Group != "" {
			other.Version = strings.TrimPrefix(other.Version, gv.Group+".")
		}
		if FileOf(other) == name && !strings.Contains(other.Version, ".") {
			unfit.Nearest = append(unfit.Nearest, other.String())
		}
	}
	return &Kind{unfit: unfit}, nil
}

// files are what was read, by path.
var files = struct {
	sync.Mutex
	known map[string]file
}{known: map[string]file{}}

// file is the decoded content of a file, with the age and size that it had then.
type file struct {
	modified time.Time
	size     int64
	read     func() (any, error)
}

func (f Folder) read(name string, decode func([]byte) (any, error)) (any, error) {
	path := filepath.Join(string(f), name)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	files.Lock()
	known := files.known[path]
	if known.read == nil || known.size != info.Size() || !known.modified.Equal(info.ModTime()) {
		known = file{info.ModTime(), info.Size(), sync.OnceValues(func() (any, error) {
			text, err := os.ReadFile(path) //nolint:gosec // The user names the folder.
			if err != nil {
				return nil, err
			}
			decoded, err := decode(text)
			if err != nil {
				return nil, fmt.Errorf("%s is no file of such a folder: %w", path, err)
			}
			return decoded, nil
		})}
		files.known[path] = known
	}
	files.Unlock()
	return known.read()
}

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
