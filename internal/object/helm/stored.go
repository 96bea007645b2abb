package helm

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	release "helm.sh/helm/v4/pkg/release/v1"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// mostOfRelease is how many bytes a revision of a release may have. Helm stores it in an object of at most 1 MiB.
const mostOfRelease = 64 << 20

// stored is a revision of a release, as Helm has stored it.
type stored struct {
	// chart is the name and the version of the chart.
	chart string
	// objects are those of the revision, the definitions in crds/ among them, without hooks. They have a namespace if
	// their manifest sets one: Helm puts the others into that of the release.
	objects []manifest.Identity
}

// decode reads what Helm 3 or 4 has stored in a Secret or a ConfigMap: base64 of compressed JSON.
func decode(record *unstructured.Unstructured) (stored, error) {
	data, _, err := unstructured.NestedString(record.Object, "data", "release")
	if err != nil {
		return stored{}, err
	}
	if record.GetKind() == "Secret" {
		text, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			return stored{}, err
		}
		data = string(text)
	}
	content, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return stored{}, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return stored{}, err
	}
	text, err := io.ReadAll(io.LimitReader(unpacked, mostOfRelease))
	if err != nil {
		return stored{}, err
	}
	var revision release.Release
	if err := json.Unmarshal(text, &revision); err != nil {
		return stored{}, err
	}
	return read(revision)
}

func read(revision release.Release) (stored, error) {
	if revision.Chart == nil || revision.Chart.Metadata == nil {
		return stored{}, errors.New("it has no chart")
	}
	all := stored{chart: revision.Chart.Name() + "-" + revision.Chart.Metadata.Version}
	texts := []string{revision.Manifest}
	for _, definition := range revision.Chart.CRDObjects() {
		texts = append(texts, string(definition.File.Data))
	}
	for _, text := range texts {
		for _, document := range releaseutil.SplitManifests(text) {
			if err := all.add(document); err != nil {
				return stored{}, err
			}
		}
	}
	return all, nil
}

// add adds the object of a document, or those of a list.
func (s *stored) add(document string) error {
	live := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(document), &live.Object); err != nil {
		return fmt.Errorf("one of its manifests: %w", err)
	}
	items, isList := live.Object["items"].([]any)
	switch {
	case live.GetKind() == "":
	case isList && strings.HasSuffix(live.GetKind(), "List"):
		for _, item := range items {
			object, _ := item.(map[string]any)
			s.objects = append(s.objects, manifest.IdentityOf(&unstructured.Unstructured{Object: object}))
		}
	default:
		s.objects = append(s.objects, manifest.IdentityOf(live))
	}
	return nil
}
