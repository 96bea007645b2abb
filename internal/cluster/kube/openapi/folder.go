package openapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

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
