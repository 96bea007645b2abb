package reader_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/reader"
)

func TestRead(t *testing.T) {
	t.Parallel()
	got := reader.Read("Field Ownership Conflict: Deployment shop/web (apps/v1)",
		`Deployment shop/web (apps/v1): the apply takes 3 fields from other owners, and changes or removes their values:

  metadata.annotations["a, owned by b: c"]: "x \"owned by\" -> " -> "y", owned by "a" and "tuner" with subresource "scale" using apps/v1 (the Horizontal (x), last write 4m ago)
    Taken back: the last apply set it.
  spec.x: "5", removed with spec, owned by "b"
  and 1 more

To leave them to their owners, with the values they have now:

  ignore_fields = ["spec.x"]`)
	tuner := reader.Owner{
		Name: "tuner", Subresource: "scale", Using: "apps/v1", About: "the Horizontal (x), last write 4m ago",
	}
	want := []reader.Field{
		{
			Effect: changes.Take, Path: `metadata.annotations["a, owned by b: c"]`, Was: `x "owned by" -> `, HasWas: true,
			Becomes: "y", HasBecomes: true, Owners: []reader.Owner{{Name: "a"}, tuner},
			Below: []string{"    Taken back: the last apply set it."},
		},
		{
			Effect: changes.Remove, Path: "spec.x", Was: "5", HasWas: true, Fate: ", removed with spec",
			Owners: []reader.Owner{{Name: "b"}},
		},
	}
	if diff := cmp.Diff(want, got.Blocks[0].Fields, cmpopts.IgnoreUnexported(reader.Field{})); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	web := manifest.Identity{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	if len(got.Objects) != 1 || got.Objects[0] != web || got.Blocks[0].Count != 3 || got.Blocks[0].More != 1 || len(got.Blocks) != 3 {
		t.Errorf("got %+v", got)
	}
}

// The warnings in the golden files of stories and pages are read back without loss.
func TestGoldenWarningsAreReadBack(t *testing.T) {
	t.Parallel()
	fields, warnings := 0, 0
	root := filepath.Join("..", "..", "..", "test")
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".txt") || !strings.Contains(file, "testdata") {
			return err
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, w := range goldenWarnings(string(content)) {
			warnings++
			message := reader.Read(w.summary, w.detail)
			if diff := cmp.Diff(w.detail, message.Detail()); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", file, w.summary, diff)
			}
			for _, block := range message.Blocks {
				fields += len(block.Fields)
				if block.Heading == "" && strings.Contains(block.Text, "  ") && strings.Contains(block.Text, ", owned by \"") {
					t.Errorf("%s: not read: %s", file, block.Text)
				}
			}
		}
		return nil
	})
	if err != nil || warnings < 40 || fields < 20 {
		t.Errorf("%d warnings with %d fields: %v", warnings, fields, err)
	}
}

type golden struct{ summary, detail string }

// goldenWarnings returns the warnings of a golden file. Their lines were folded at the width of a terminal.
func goldenWarnings(content string) []golden {
	var found []golden
	for _, part := range strings.Split("\n"+content, "\nWarning: ")[1:] {
		for _, end := range []string{"\nError: ", "\n$ ", "\n(and ", "\n---", "\nPlan: ", "\nApply complete"} {
			part, _, _ = strings.Cut(part, end)
		}
		summary, detail, _ := strings.Cut(strings.TrimRight(part, "\n"), "\n")
		found = append(found, golden{summary, unfold(strings.TrimLeft(detail, "\n"))})
	}
	return found
}

func unfold(text string) string {
	var out strings.Builder
	previous := ""
	for _, line := range strings.Split(text, "\n") {
		switch {
		case out.Len() == 0:
		case line != "" && previous != "" && line[0] != ' ' && previous[0] != ' ':
			out.WriteString(" ")
		default:
			out.WriteString("\n")
		}
		out.WriteString(line)
		previous = line
	}
	return out.String()
}
