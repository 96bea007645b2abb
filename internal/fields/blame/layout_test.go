package blame

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
)

func TestPage(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 61)
	tests := map[string]struct {
		lines []line
		want  []string
	}{
		"comments start two blanks right of the longest line that has one": {
			lines: []line{{text: "a: 1", owners: []int{0}}, {text: "long: unowned"}, {text: "bc: 2", owners: []int{0, 1}}},
			want:  []string{"a: 1   # ann", "long: unowned", "bc: 2  # ann, bob"},
		},
		"letters count, not bytes": {
			lines: []line{{text: "ü: é", owners: []int{0}}, {text: "a: 1", owners: []int{0}}},
			want:  []string{"ü: é  # ann", "a: 1  # ann"},
		},
		"an atomic field says so": {
			lines: []line{{text: "a:", owners: []int{0, 1}, atomic: true}, {text: "  b: 1"}},
			want:  []string{"a:  # atomic: ann, bob", "  b: 1"},
		},
		"owners that do not fit go below, aligned": {
			lines: []line{{text: "a: " + long[:40], owners: []int{2, 3, 0}}, {text: "b: 1", owners: []int{1}}},
			want: []string{
				"a: " + long[:40] + "  # a-manager-of-a-rather-long-name,",
				strings.Repeat(" ", 45) + "# another-manager-of-a-rather-long-name, ann",
				"b: 1" + strings.Repeat(" ", 41) + "# bob",
			},
		},
		"a line past the column has its owners beside it where they fit": {
			lines: []line{{text: "a: " + long, owners: []int{0}}, {text: "b: 1", owners: []int{2, 3}}},
			want: []string{
				"a: " + long + "  # ann",
				"b: 1  # a-manager-of-a-rather-long-name, another-manager-of-a-rather-long-name",
			},
		},
		"and below it where they do not": {
			lines: []line{{text: "a: " + long, owners: []int{2, 3}}, {text: "b: 1", owners: []int{0}}},
			want: []string{
				"a: " + long,
				"      # a-manager-of-a-rather-long-name, another-manager-of-a-rather-long-name",
				"b: 1  # ann",
			},
		},
		"never between a block scalar and its text": {
			lines: []line{{text: "a: |", owners: []int{0, 1, 2, 3}, block: true}, {text: "  x"}, {text: "b: " + long[:46], owners: []int{0}}},
			want: []string{
				"a: |  # ann, bob, a-manager-of-a-rather-long-name, another-manager-of-a-rather-long-name",
				"  x",
				"b: " + long[:46] + "  # ann",
			},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := page{lines: tt.lines, labels: []string{"ann", "bob", "a-manager-of-a-rather-long-name", "another-manager-of-a-rather-long-name"}}
			if diff := cmp.Diff(tt.want, strings.Split(strings.TrimSuffix(p.String(), "\n"), "\n")); diff != "" {
				t.Errorf("page (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLabels(t *testing.T) {
	t.Parallel()
	manager := func(name, operation, version, subresource string) ownership.Manager {
		return ownership.Manager{Name: name, Operation: metav1.ManagedFieldsOperationType(operation), APIVersion: version, Subresource: subresource}
	}
	want := map[ownership.Manager]string{
		manager("flux", "Apply", "v1", ""):          "flux",
		manager("kubectl", "Apply", "v1", ""):       "kubectl (Apply)",
		manager("kubectl", "Update", "v1", ""):      "kubectl (Update)",
		manager("kubectl", "Update", "v1", "scale"): "kubectl (scale)",
		manager("hpa", "Update", "v1", "scale"):     "hpa (scale, Update)",
		manager("hpa", "Apply", "v1", "scale"):      "hpa (scale, Apply)",
		manager("cd", "Apply", "v1", ""):            "cd (Apply)",
		manager("cd", "Update", "v2", ""):           "cd (Update)",
		manager("ci", "Update", "v1", ""):           "ci (v1)",
		manager("ci", "Update", "v2", ""):           "ci (v2)",
		manager("", "Update", "v1", ""):             `""`,
		manager("line\nbreak", "Update", "v1", ""):  `"line\nbreak"`,
		manager(" blank", "Update", "v1", ""):       `" blank"`,
		manager("größe, # и", "Update", "v1", ""):   "größe, # и",
	}
	var claims ownership.Claims
	for of := range want {
		claims = append(claims, ownership.Claim{Manager: of})
	}
	if diff := cmp.Diff(want, labelsOf(claims)); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}
