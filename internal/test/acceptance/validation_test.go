package acceptance_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/validation"
)

// Objects of whole projects, and those of the examples, fit the schemas of the server that takes them.
func TestValidationAcceptsWhatTheServerAccepts(t *testing.T) {
	s := story.New(t)
	folder := validation.Export(s)
	texts := map[string]string{"monitoring": s.Expand(monitoring().text()), "operators": s.Expand(operators().text())}
	for _, pattern := range []string{"*/*.yaml", "*/*/*.yaml"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", "examples", pattern))
		story.Must(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			story.Must(t, err)
			texts[file] = string(text)
		}
	}
	checked := 0
	for name, text := range texts {
		all, err := manifest.ParseAll(text)
		if err != nil {
			continue // A template, or a file that is something else.
		}
		for _, located := range all {
			problems, has, err := validation.Unfit(folder, located.Object)
			story.Must(t, err)
			if has {
				checked++
			}
			for _, p := range problems {
				t.Errorf("%s: %s: %s: %s", name, located, p.Field, p.Text)
			}
		}
	}
	if checked < 300 {
		t.Errorf("only %d objects were checked", checked)
	}
}
