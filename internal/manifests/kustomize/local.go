package kustomize

import (
	"bytes"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// localFiles is a file system that refuses files that ask kustomize for something remote, or for Helm.
type localFiles struct {
	filesys.FileSystem
	// refused is the first refusal. kustomize hides it: it tries another file name if it cannot read a file.
	refused *RefusedError
	// linked holds the folder of each kustomization file that is a symbolic link, by the target of the link: kustomize
	// reads the target by its own name.
	linked map[string]string
	// read has the files that kustomize has read: its errors may quote them.
	read map[string][]byte
}

// CleanedAbs implements filesys.FileSystem. kustomize resolves a path with it before it reads the file.
func (f *localFiles) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	dir, file, err := f.FileSystem.CleanedAbs(path)
	if err == nil && isKustomization(path) {
		f.linked[dir.Join(file)] = filepath.Dir(path)
	}
	return dir, file, err
}

func isKustomization(path string) bool {
	return slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(path))
}

// ReadFile implements filesys.FileSystem.
func (f *localFiles) ReadFile(path string) ([]byte, error) {
	content, err := f.FileSystem.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f.read[path] = content
	var refused *RefusedError
	switch folder, isLinked := f.linked[path]; {
	case isLinked:
		refused = f.check(folder, content)
	case isKustomization(path):
		refused = f.check(filepath.Dir(path), content)
	default:
		refused = checkConfigurations(content)
	}
	if refused == nil {
		return content, nil
	}
	refused.File = path
	if f.refused == nil {
		f.refused = refused
	}
	return nil, refused
}

// WriteFile returns an error: a build only reads.
func (f *localFiles) WriteFile(string, []byte) error {
	return errors.New("the files are not to be written")
}

// check returns a refusal of the first entry of a kustomization that is not allowed; nil for content that kustomize
// cannot read either.
func (f *localFiles) check(folder string, content []byte) *RefusedError {
	var k types.Kustomization
	if err := k.Unmarshal(content); err != nil {
		return nil //nolint:nilerr // kustomize reads the same content, and reports the error.
	}
	k.FixKustomization() // Bases are among Resources now.
	for _, chart := range k.HelmCharts {
		return &RefusedError{Entry: chart.Name, Helm: true}
	}
	for _, entry := range slices.Concat(k.Resources, k.Components, k.Crds, k.Configurations, filesOf(k)) {
		if isRemote(entry) {
			return &RefusedError{Entry: entry}
		}
	}
	for _, entry := range slices.Concat(k.Generators, k.Transformers, k.Validators) {
		if isRemote(entry) {
			return &RefusedError{Entry: entry}
		}
		if refused := checkConfigurations([]byte(entry)); refused != nil {
			return refused
		}
		if f.IsDir(filepath.Join(folder, entry)) { // Its patches could add something remote to a configuration.
			return &RefusedError{Entry: entry, IsFolder: true}
		}
	}
	return nil
}

// filesOf returns the files that a kustomization reads, other than resources.
func filesOf(k types.Kustomization) []string {
	files := []string{k.OpenAPI["path"]}
	//nolint:staticcheck // People still write the deprecated fields.
	patches, merged := slices.Concat(k.Patches, k.PatchesJson6902), k.PatchesStrategicMerge
	for _, patch := range patches {
		files = append(files, patch.Path)
	}
	for _, patch := range merged {
		files = append(files, string(patch))
	}
	for _, replacement := range k.Replacements {
		files = append(files, replacement.Path)
	}
	var sources []types.KvPairSources
	for _, generator := range k.ConfigMapGenerator {
		sources = append(sources, generator.KvPairSources)
	}
	for _, generator := range k.SecretGenerator {
		sources = append(sources, generator.KvPairSources)
	}
	for _, source := range sources {
		files = append(files, source.EnvSource)
		files = append(files, source.EnvSources...)
		for _, file := range source.FileSources {
			_, path, hasKey := strings.Cut(file, "=")
			if !hasKey {
				path = file
			}
			files = append(files, path)
		}
	}
	return files
}

// checkConfigurations returns a refusal of the first entry in the configuration of a built-in generator or transformer
// that is not allowed. kustomize does not fetch URLs in other files.
func checkConfigurations(content []byte) *RefusedError {
	// A backslash may write the word in another way: "built\u0069n".
	if !bytes.Contains(content, []byte(konfig.BuiltinPluginApiVersion)) && !bytes.ContainsRune(content, '\\') {
		return nil
	}
	nodes, err := kio.FromBytes(content)
	if err != nil {
		return nil //nolint:nilerr // kustomize reads the same content, and reports the error if it matters.
	}
	for _, node := range nodes {
		if node.GetApiVersion() != konfig.BuiltinPluginApiVersion {
			continue
		}
		if strings.HasPrefix(node.GetKind(), "Helm") {
			return &RefusedError{Entry: node.GetName(), Helm: true}
		}
		if entry := remoteBelow(node.YNode()); entry != "" {
			return &RefusedError{Entry: entry}
		}
	}
	return nil
}

// remoteBelow returns the first string below a node that kustomize would fetch if it were a path; "" without one.
func remoteBelow(node *yaml.Node) string {
	if node.Kind == yaml.ScalarNode {
		// A file of a generator may be written as key=path.
		for _, entry := range []string{node.Value, node.Value[strings.Index(node.Value, "=")+1:]} {
			if isRemote(entry) {
				return entry
			}
		}
	}
	for _, child := range node.Content {
		if entry := remoteBelow(child); entry != "" {
			return entry
		}
	}
	return ""
}

var (
	scheme = regexp.MustCompile(`(?i)^(git::|[a-z][a-z0-9+.-]*://|https?:)`)
	// host matches what git takes for a host without a scheme: git@example.com:team/app, github.com/team/app.
	host = regexp.MustCompile(`(?i)^([a-z][a-z0-9-]*@[^/:]*[/:]|github\.com[/:])`)
)

// isRemote reports whether kustomize may take a path for a URL or for a repository.
func isRemote(path string) bool { return scheme.MatchString(path) || host.MatchString(path) }
