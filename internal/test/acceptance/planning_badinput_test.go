package acceptance_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// newBadInputStory skips where the words are not those of testdata.
func newBadInputStory(t *testing.T) *story.Story {
	t.Helper()
	story.SkipUnlessAcceptance(t)
	cli, err := testcluster.TerraformCLI(t.Context(), os.Stderr)
	story.Must(t, err)
	if cli.Product != testcluster.ProductTerraform || !strings.HasPrefix(story.ControlPlane().Version(), "v1.36.") {
		t.Skipf("testdata/planning/badinput has the words of Terraform and Kubernetes 1.36, and these are %s and Kubernetes %s", cli.Product, story.ControlPlane().Version())
	}
	return story.New(t)
}

// badInput is a resource, or another block, that is refused or warned of. In all texts NS stands for the
// story's namespace, and NAME for the name of the block.
type badInput struct {
	// name says what is wrong.
	name string
	// body is the file that yaml_body reads; a ConfigMap that is fine where it is empty.
	body string
	// arguments are further lines of the resource.
	arguments string
	// block takes the place of the resource.
	block string
	// mentioned is a text by which a diagnostic without an address is assigned to the input.
	mentioned string
}

// label returns the name of the block.
func (b badInput) label() string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '/' || r == '.' {
			return '_'
		}
		return r
	}, b.name)
}

// said is a diagnostic of the CLI, as -json prints it.
type said struct {
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail"`
	Address  string `json:"address"`
	Range    struct {
		Filename string `json:"filename"`
	} `json:"range"`
	Snippet struct {
		Context string `json:"context"`
		Code    string `json:"code"`
		// Start is where in the code the part begins that the diagnostic points to.
		Start int `json:"highlight_start_offset"`
	} `json:"snippet"`
}

// attribute returns the argument that the diagnostic points to, "" for the block as a whole. It is "" for a part of an
// object, too: Terraform 1.16 points to that, and older CLIs to the block.
func (d said) attribute() string {
	name, _, isArgument := strings.Cut(d.Snippet.Code, "=")
	if !isArgument || strings.Contains(name, "{") || strings.Contains(d.Snippet.Code[:d.Snippet.Start], "{") {
		return ""
	}
	return strings.TrimSpace(name)
}

func (d said) String() string {
	at := ""
	if attribute := d.attribute(); attribute != "" {
		at = " (" + attribute + ")"
	}
	return strings.ToUpper(d.Severity[:1]) + d.Severity[1:] + at + ": " + d.Summary + "\n" + d.Detail + "\n"
}

// writeInputs sets a configuration with a file of its own for each input, so that one whose block cannot be
// told from its address is told from its file.
func writeInputs(w *story.Workspace, inputs []badInput) {
	w.T.Helper()
	w.Configure()
	old, err := filepath.Glob(filepath.Join(w.Dir, "bad-*"))
	story.Must(w.T, err)
	for _, file := range old {
		story.Must(w.T, os.Remove(file))
	}
	for _, input := range inputs {
		body, block := input.body, input.block
		if body == "" {
			body = story.ConfigMap
		}
		// Every input is an object of its own.
		body = strings.Replace(body, "{name: web,", "{name: "+strings.ReplaceAll(strings.ToLower(input.label()), "_", "-")+",", 1)
		if block == "" {
			block = "resource \"k8sconnect_manifest\" \"NAME\" {\n  yaml_body = file(\"bad-NAME.yaml\")\n  " + input.arguments + "\n}\n"
		}
		expand := strings.NewReplacer("NS", w.Namespace, "NAME", input.label()).Replace
		story.Must(w.T, os.WriteFile(filepath.Join(w.Dir, "bad-"+input.label()+".yaml"), []byte(w.Expand(body)), 0o600))
		story.Must(w.T, os.WriteFile(filepath.Join(w.Dir, "bad-"+input.label()+".tf"), []byte(expand(block)), 0o600))
	}
}

// expectSaid runs a command on the inputs and compares what is said of each with the golden file of the group.
func expectSaid(w *story.Workspace, group string, inputs []badInput, args ...string) {
	w.T.Helper()
	out, _ := w.Try(append(args, "-json")...)
	heard := map[string][]string{}
	for _, diagnostic := range diagnostics(w, out) {
		label := labelOf(w, diagnostic, inputs)
		heard[label] = append(heard[label], diagnostic.String())
	}
	var got strings.Builder
	for _, input := range inputs {
		texts := heard[input.label()]
		if len(texts) == 0 {
			w.T.Errorf("%s: nothing is said of it", input.name)
		}
		delete(heard, input.label())
		slices.Sort(texts)
		fmt.Fprintf(&got, "== %s\n%s\n", input.name, strings.Join(slices.Compact(texts), "\n"))
	}
	for label, texts := range heard {
		w.T.Errorf("said of %q, which is no input:\n%s", label, strings.Join(texts, "\n"))
	}
	if strings.Contains(got.String(), "hunter2") {
		w.T.Error("a credential is quoted")
	}
	golden.Compare(w.T, "planning/badinput/"+group+".txt", anonymous(w, got.String()))
}

// labelOf returns the name of the block that a diagnostic is about.
func labelOf(w *story.Workspace, d said, inputs []badInput) string {
	if _, name, addressed := strings.Cut(strings.TrimPrefix(d.Address, "data."), "."); addressed {
		label, _, _ := strings.Cut(name, "[")
		return label
	}
	if d.Range.Filename == "" {
		for _, input := range inputs {
			if input.mentioned != "" && strings.Contains(d.Detail, w.Expand(input.mentioned)) {
				return input.label()
			}
		}
	}
	return strings.TrimSuffix(strings.TrimPrefix(d.Range.Filename, "bad-"), ".tf")
}

// diagnostics returns those that a command printed with -json: a stream of lines, or one document.
func diagnostics(w *story.Workspace, out string) []said {
	w.T.Helper()
	var document struct {
		Diagnostics []said `json:"diagnostics"`
	}
	if start := strings.Index(out, "{\n"); start >= 0 {
		story.Must(w.T, json.NewDecoder(strings.NewReader(out[start:])).Decode(&document))
		return slices.DeleteFunc(document.Diagnostics, isOfCLI)
	}
	lines := bufio.NewScanner(strings.NewReader(out))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var line struct {
			Diagnostic *said `json:"diagnostic"`
		}
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Diagnostic != nil && !isOfCLI(*line.Diagnostic) {
			document.Diagnostics = append(document.Diagnostics, *line.Diagnostic)
		}
	}
	story.Must(w.T, lines.Err())
	return document.Diagnostics
}

// isOfCLI tells the CLI's own warnings about the way it is run.
func isOfCLI(d said) bool {
	return d.Severity == "warning" && d.Address == "" && d.Range.Filename == ""
}

// given is what newer CLIs add to an error about the type of a value.
var given = regexp.MustCompile(`( required), but have [a-z ]+\.`)

// anonymous replaces what differs between two runs, or between two CLIs.
func anonymous(w *story.Workspace, text string) string {
	text = given.ReplaceAllString(text, "$1.")
	return strings.NewReplacer(w.Namespace, "NS", story.ControlPlane().RESTConfig().Host, "https://SERVER", w.Dir, "DIR").Replace(text)
}

func repeated(text string, times int) string { return strings.Repeat(text, times) }

// kubeconfigWith returns an HCL string: a kubeconfig with the context dev and the cluster c.
func kubeconfigWith(currentContext, api string) string {
	return fmt.Sprintf("%q", "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: 'https://a.example.com'}}]\n"+
		"users: [{name: u, user: {token: hunter2}}]\ncontexts: [{name: dev, context: {cluster: "+api+", user: u}}]\n"+
		"current-context: '"+currentContext+"'\n")
}

// ownershipOf returns a data source.
func ownershipOf(arguments ...string) string {
	return "data \"k8sconnect_field_ownership\" \"NAME\" {\n  " + strings.Join(arguments, "\n  ") + "\n}\n"
}
