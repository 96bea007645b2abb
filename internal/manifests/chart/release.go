package chart

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

// Installed is a revision of a release, as Helm has stored it.
type Installed struct {
	// Chart is the name and the version of the chart, edge-1.2.0 for instance.
	Chart string
	// Objects are those of the revision, the definitions in crds/ among them, without hooks. They have a namespace if
	// their manifest has one: Helm puts the others into that of the release.
	Objects []manifest.Identity
}

// ReadInstalled reads the field release of a Secret or a ConfigMap of Helm 3 or 4: base64 of compressed JSON.
func ReadInstalled(data string) (Installed, error) {
	content, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return Installed{}, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return Installed{}, err
	}
	text, err := io.ReadAll(io.LimitReader(unpacked, mostOfRelease))
	if err != nil {
		return Installed{}, err
	}
	var stored release.Release
	if err := json.Unmarshal(text, &stored); err != nil {
		return Installed{}, err
	}
	if stored.Chart == nil || stored.Chart.Metadata == nil {
		return Installed{}, errors.New("it has no chart")
	}
	all := Installed{Chart: stored.Chart.Name() + "-" + stored.Chart.Metadata.Version}
	texts := []string{stored.Manifest}
	for _, definition := range stored.Chart.CRDObjects() {
		texts = append(texts, string(definition.File.Data))
	}
	for _, text := range texts {
		for _, document := range releaseutil.SplitManifests(text) {
			if err := all.add(document); err != nil {
				return Installed{}, err
			}
		}
	}
	return all, nil
}

// add adds the object of a document, or those of a list.
func (i *Installed) add(document string) error {
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
			i.Objects = append(i.Objects, manifest.IdentityOf(&unstructured.Unstructured{Object: object}))
		}
	default:
		i.Objects = append(i.Objects, manifest.IdentityOf(live))
	}
	return nil
}
