package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/clihost"
)

// hostedTurn is a configuration, what another manager writes, and the commands that then run.
type hostedTurn struct {
	manifest string
	writes   func(*story.Story)
	commands []string
}

var hostedTurns = []hostedTurn{
	{
		manifest: `data: {a: "1"}`,
		commands: []string{
			"version", "validate", "validate -json", "fmt -check", "plan -out=tfplan", "show tfplan", "show -json tfplan",
			"apply tfplan", "show", "show -json", "state list", "output -json", "output missing", "plan -detailed-exitcode",
			"apply tfplan", "providers schema -json",
		},
	},
	{
		manifest: `data: {a: "2", b: "3"}`,
		writes:   func(s *story.Story) { s.As("bob").Apply(story.ConfigMapIn("settings", `data: {c: "4"}`)) },
		commands: []string{
			"plan -detailed-exitcode -json -out=tfplan", "show -json tfplan", "apply -auto-approve", "state pull", "refresh",
			"taint k8sconnect_manifest.test", "untaint k8sconnect_manifest.test", "taint k8sconnect_manifest.missing",
		},
	},
	// The provider refuses this one.
	{manifest: `data: {a: [1]}`, commands: []string{"validate", "plan", "apply -auto-approve", "plan -json"}},
	{
		manifest: `data: {a: "2", b: "3"}`,
		commands: []string{
			"frobnicate", "plan -frobnicate", "apply missing", "-chdir=missing plan", "-help", "plan -help", "show -json missing",
			"destroy -auto-approve", "show -json", "plan -destroy -detailed-exitcode",
		},
	},
}

// A host answers each command as a process of the CLI does: output, saved plan, state, exit code and errors.
func TestHostsAnswerAsTheCLI(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	if os.Getenv(clihost.EnvDir) == "" {
		t.Skip("hosts run with the CLIs that the tests build, not with that of TF_ACC_TERRAFORM_PATH")
	}
	t.Parallel()
	answers := map[string][]string{}
	t.Run("played", func(t *testing.T) {
		for _, way := range []string{"hosts", "processes"} {
			t.Run(way, func(t *testing.T) {
				s := story.New(t)
				answers[way] = playHosted(s, way == "hosts")
			})
		}
	})
	if diff := cmp.Diff(answers["processes"], answers["hosts"]); diff != "" {
		t.Errorf("-process +host:\n%s", diff)
	}
}

// A host that ends in the middle of a command is replaced, and the error says so.
func TestHostThatEnds(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	if os.Getenv(clihost.EnvDir) == "" {
		t.Skip("hosts run with the CLIs that the tests build, not with that of TF_ACC_TERRAFORM_PATH")
	}
	t.Parallel()
	ends := clihost.Command{Dir: filepath.Join(t.TempDir(), "missing"), Args: []string{"version"}}
	_, err := clihost.Run(t.Context(), ends)
	if err == nil || !strings.Contains(err.Error(), `of the CLI ended during the command "version"`) ||
		!strings.Contains(err.Error(), "missing: no such file or directory") {
		t.Errorf("the error is %v", err)
	}
	works := clihost.Command{Dir: t.TempDir(), Args: []string{"version"}, Env: os.Environ()}
	if printed, err := clihost.Run(t.Context(), works); err != nil || printed.Code != 0 {
		t.Errorf("the next command printed %+v, %v", printed, err)
	}
}

// playHosted plays hostedTurns and returns what each command has printed and saved, without what differs between any two
// stories.
func playHosted(s *story.Story, inHost bool) []string {
	w := s.Workspace()
	w.InHost = inHost
	var answers []string
	for _, turn := range hostedTurns {
		if turn.writes != nil {
			turn.writes(s)
		}
		w.Configure(s.Manifest("test", story.ConfigMapIn("settings", turn.manifest)))
		for _, command := range turn.commands {
			out, code, err := w.Workdir.Run(s.T.Context(), strings.Fields(command)...)
			story.Must(s.T, err)
			state, err := os.ReadFile(filepath.Join(w.Dir, "terraform.tfstate"))
			if !os.IsNotExist(err) {
				story.Must(s.T, err)
			}
			answers = append(answers, fmt.Sprintf("%s: exit code %d\n%s\n%s", command, code,
				s.Anonymous(unhosted(w, out)), s.Anonymous(unhosted(w, string(state)))))
		}
	}
	return answers
}

// ofAnyCommand matches what differs between any two runs of a command.
var ofAnyCommand = []*regexp.Regexp{
	regexp.MustCompile(`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})`),
	regexp.MustCompile(`after \d+s|"elapsed_seconds":\d+|"serial": ?\d+|"lineage": ?"[^"]*"|resourceVersion[^,]*`),
	regexp.MustCompile(`"private": ?"[^"]*"`),
}

// unhosted returns a text without the directory of the workspace, and without what differs between any two runs.
func unhosted(w *story.Workspace, text string) string {
	text = strings.ReplaceAll(text, w.Dir, "DIR")
	for _, pattern := range ofAnyCommand {
		text = pattern.ReplaceAllString(text, "DIFFERS")
	}
	return text
}
