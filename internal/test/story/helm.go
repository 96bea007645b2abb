package story

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	release "helm.sh/helm/v4/pkg/release/v1"
)

// StoreRelease stores a revision of a release, "web.v2", of a chart of the same name, as Helm does: in a Secret or a
// ConfigMap of the story's namespace. The chart's folder crds has the definitions.
func (s *Story) StoreRelease(kind, revision, status, manifests string, definitions ...string) {
	s.T.Helper()
	name, number, _ := strings.Cut(revision, ".v")
	version, err := strconv.Atoi(number)
	Must(s.T, err)
	var files []*common.File
	for i, text := range definitions {
		files = append(files, &common.File{Name: fmt.Sprintf("crds/%d.yaml", i), Data: []byte(s.Expand(text))})
	}
	text, err := json.Marshal(release.Release{
		Name: name, Namespace: s.Namespace, Version: version, Manifest: s.Expand(manifests),
		Chart: &chart.Chart{Metadata: &chart.Metadata{Name: name, Version: "0.1.0"}, Files: files},
	})
	Must(s.T, err)
	head := fmt.Sprintf("apiVersion: v1\nkind: %s\nmetadata: {name: sh.helm.release.v1.%s, namespace: NS, labels: "+
		"{owner: helm, name: %s, status: %s, version: '%d'}}\n", kind, revision, name, status, version)
	if kind == "Secret" {
		head += "type: helm.sh/release.v1\n"
	}
	data := packed(s.T, text, kind)
	for strings.Contains(data, "NS") { // Create would put the namespace there.
		text = append(text, ' ')
		data = packed(s.T, text, kind)
	}
	s.As("Helm").Create(head + "data: {release: " + data + "}\n")
}

// packed returns a string as Helm stores it in an object of a kind.
func packed(t *testing.T, text []byte, kind string) string {
	t.Helper()
	var buffer bytes.Buffer
	writer := gzip.NewWriter(&buffer)
	_, err := writer.Write(text)
	Must(t, err)
	Must(t, writer.Close())
	data := base64.StdEncoding.EncodeToString(buffer.Bytes())
	if kind == "Secret" {
		data = base64.StdEncoding.EncodeToString([]byte(data))
	}
	return data
}
