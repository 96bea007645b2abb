package examples_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
)

var (
	// location is a line that says where in the configuration a message belongs.
	location = regexp.MustCompile(`(?m)^(  (with|on) [^\n]*,?| +\d+: [^\n]*|    [├│][^\n]*)\n`)
	// ago is the one part of a message that is never the same twice.
	ago = regexp.MustCompile(`last write \w+ ago`)
	// wrote is when an owner of an addition has written it.
	wrote = regexp.MustCompile(` at 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"`)
	// unchanged is the first line of an attribute that does not change, the note on attributes that the CLI hides itself, what
	// OpenTofu prints of a write-only attribute that is not set, and its note on a value that does not change and was sensitive.
	unchanged = regexp.MustCompile(`^( {8}\w+ +=| {8}# \(\d+ unchanged attributes? hidden\)| {6}~ \w+ += \(write-only attribute\)$|` +
		` {6}# Warning: this attribute value will no longer be marked as sensitive$| {6}# after applying this change\. The value is unchanged\.$)`)
	// quiet is unchanged, and the first line of yaml_body and yaml_body_wo, whose text the reader has.
	quiet = regexp.MustCompile(unchanged.String() + `|^ {6}[~+-] yaml_body(_wo)? +=`)
	// element is an element of a map up to the = sign, with the space before it.
	element = regexp.MustCompile(`^( +[~+-]? *"(?:[^"\\]|\\.)*")( +)= `)
)

// excerpt returns what a page shows of a plan: the resources that change and the messages, without where they
// are in the configuration and without the attributes that begin with a line of hidden. It is the same for
// Terraform and OpenTofu.
func excerpt(output string, hidden *regexp.Regexp) string {
	if _, actions, found := strings.Cut(output, "will perform the following actions:\n"); found {
		output = actions
	} else if _, rest, found := strings.Cut(output, "published\nreleases.\n"); found {
		output = rest
	}
	if at := pages.Begins.FindStringIndex(output); at != nil {
		output = output[at[0]:]
	}
	output, _, _ = strings.Cut(output, "\nThis is a refresh-only plan")
	output = strings.ReplaceAll(location.ReplaceAllString(output, ""), "OpenTofu", "Terraform")
	output = ago.ReplaceAllString(output, "last write 4m ago")
	output = wrote.ReplaceAllString(output, ` at 2026-11-28T09:30:00Z"`)
	lines := narrowed(loud(strings.Split(strings.Trim(output, "\n"), "\n"), hidden))
	return blank.ReplaceAllString(strings.Join(lines, "\n"), "\n\n") + "\n"
}

// blank is more than one blank line.
var blank = regexp.MustCompile(`\n{3,}`)

// loud leaves out the attributes that begin with a line of hidden.
func loud(lines []string, hidden *regexp.Regexp) []string {
	var kept []string
	skipping := false
	for _, line := range lines {
		opens := strings.HasSuffix(line, "{") || strings.HasSuffix(line, "[") ||
			strings.HasSuffix(line, "(") || strings.HasSuffix(line, "<<-EOT")
		switch {
		case skipping:
			closes := len(line) > 8 && strings.TrimSpace(line[:8]) == "" && line[8] != ' '
			skipping = !closes || opens
		case hidden.MatchString(line):
			skipping = opens
		default:
			kept = append(kept, line)
		}
	}
	return kept
}

// narrowed takes away the space before = that elements on successive lines have in common.
func narrowed(lines []string) []string {
	for start := 0; start < len(lines); {
		end, shared := start, 1<<10
		for ; end < len(lines); end++ {
			at := element.FindStringSubmatchIndex(lines[end])
			if at == nil {
				break
			}
			shared = min(shared, at[5]-at[4]-1)
		}
		for i := start; i < end; i++ {
			at := element.FindStringSubmatchIndex(lines[i])
			lines[i] = lines[i][:at[5]-shared] + lines[i][at[5]:]
		}
		start = end + 1
	}
	return lines
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	const printed = `
Warning: Provider development overrides are in effect

The behavior may therefore not match any released version of the provider and
applying changes may cause the state to become incompatible with published
releases.
k8sconnect_manifest.web: Refreshing state... [id=web]

OpenTofu will perform the following actions:

  # k8sconnect_manifest.web will be updated in-place
  # (imported from "web")
  ~ resource "k8sconnect_manifest" "web" {
        co_owners       = {}
      ~ field_ownership = {
          ~ "spec.replicas"         = "kubectl" -> "k8sconnect"
            "spec.selector"         = "kubectl"
            # (8 unchanged elements hidden)
          - "metadata.labels.longer"                          = "kubectl" -> null
        }
        id              = "web"
        managed_state   = {
            "spec.selector" = jsonencode(
                {}
            )
        }
      ~ yaml_body       = jsonencode(
            {}
        ) -> <<-EOT
            kind: Deployment
        EOT
      # Warning: this attribute value will no longer be marked as sensitive
      # after applying this change. The value is unchanged.
        # (4 unchanged attributes hidden)
    }

Plan: 1 to import, 0 to add, 1 to change, 0 to destroy.

Warning: Field Ownership Conflict: Deployment default/web (apps/v1)

  with k8sconnect_manifest.web,
  on main.tf line 12, in resource "k8sconnect_manifest" "web":
  12: resource "k8sconnect_manifest" "web" {
    ├────────────────
    │ self.id is "web"

Deployment default/web (apps/v1): the apply takes a field:

  spec.replicas: "5" -> "3", owned by "kubectl" (kubectl edit, last write 100s ago)
`
	const want = `  # k8sconnect_manifest.web will be updated in-place
  # (imported from "web")
  ~ resource "k8sconnect_manifest" "web" {
      ~ field_ownership = {
          ~ "spec.replicas" = "kubectl" -> "k8sconnect"
            "spec.selector" = "kubectl"
            # (8 unchanged elements hidden)
          - "metadata.labels.longer" = "kubectl" -> null
        }
    }

Plan: 1 to import, 0 to add, 1 to change, 0 to destroy.

Warning: Field Ownership Conflict: Deployment default/web (apps/v1)

Deployment default/web (apps/v1): the apply takes a field:

  spec.replicas: "5" -> "3", owned by "kubectl" (kubectl edit, last write 4m ago)
`
	if diff := cmp.Diff(want, excerpt(printed, quiet)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
