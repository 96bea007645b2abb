package tosca

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const metaFile = "TOSCA-Metadata/TOSCA.meta"

// unpacked returns a service template as a string: the given one, or that in the CSAR which is given in base64.
func unpacked(given string) (string, error) {
	packed := strings.TrimSpace(given)
	// The part of the base64 that encodes the first four bytes of a zip.
	begin, err := base64.StdEncoding.DecodeString(packed[:min(8, len(packed))])
	isZip := bytes.HasPrefix(begin, []byte("PK\x03\x04")) || bytes.HasPrefix(begin, []byte("PK\x05\x06"))
	if isText := err != nil || !isZip; isText {
		return given, nil
	}
	const whole = `Write filebase64("app.csar").`
	content, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return "", &manifest.Error{Problem: "the text begins as a CSAR in base64, but is not base64", Suggestion: whole}
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return "", &manifest.Error{Problem: "the CSAR is not a complete zip", Suggestion: whole}
	}
	name, err := entryOf(archive)
	if err != nil {
		return "", err
	}
	return contentOf(archive, name)
}

// entryOf returns the name of the service template in a CSAR.
func entryOf(archive *zip.Reader) (string, error) {
	var inRoot []string
	for _, file := range archive.File {
		if !strings.Contains(file.Name, "/") && slices.Contains([]string{".yaml", ".yml"}, path.Ext(file.Name)) {
			inRoot = append(inRoot, file.Name)
		}
	}
	hasMeta := slices.ContainsFunc(archive.File, func(file *zip.File) bool { return file.Name == metaFile })
	if !hasMeta && len(inRoot) == 1 {
		return inRoot[0], nil
	}
	meta := ""
	if hasMeta {
		var err error
		if meta, err = contentOf(archive, metaFile); err != nil {
			return "", err
		}
	}
	for line := range strings.Lines(meta) {
		if name, has := strings.CutPrefix(line, "Entry-Definitions:"); has {
			return path.Clean(strings.TrimSpace(name)), nil
		}
	}
	return "", &manifest.Error{
		Problem:    fmt.Sprintf("the CSAR has no Entry-Definitions, and %d YAML files in its root", len(inRoot)),
		Suggestion: "Write Entry-Definitions: app.yaml in " + metaFile + ".",
	}
}

// contentOf returns a file of a CSAR. No name leads out of it.
func contentOf(archive *zip.Reader, name string) (string, error) {
	file, err := archive.Open(name)
	if err != nil {
		return "", &manifest.Error{
			Problem:    fmt.Sprintf("the CSAR has no file %q", name),
			Suggestion: "Write the path of a file from the root of the CSAR as Entry-Definitions.",
		}
	}
	content, err := io.ReadAll(io.LimitReader(file, largest+1))
	if err != nil {
		return "", &manifest.Error{
			Problem: fmt.Sprintf("%q of the CSAR cannot be unpacked", name), Suggestion: "Pack it again, with zip.",
		}
	}
	if len(content) > largest {
		return "", &manifest.Error{
			Problem:    fmt.Sprintf("%q of the CSAR is larger than %d MiB", name, largest>>20),
			Suggestion: "Split the template.",
		}
	}
	return string(content), nil
}
