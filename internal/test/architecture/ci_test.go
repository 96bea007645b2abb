package architecture

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The workflow fails without the vulnerability database: it runs the check itself, because .ci/run goes on without it.
func TestWorkflowNeedsTheVulnerabilityDatabase(t *testing.T) {
	t.Parallel()
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(readText(t, filepath.Join(workflowsDir, "ci.yml"))), &root); err != nil {
		t.Fatal(err)
	}
	found := false
	visit(root.Content[0], func(key string, value *yaml.Node) {
		found = found || key == "run" && value.Value == "make vuln"
		if key == "continue-on-error" {
			t.Error("a step may fail")
		}
	})
	if !found {
		t.Error("ci.yml does not run make vuln")
	}
}

// .ci/run goes on without the vulnerability database, and its last line says so, whether the tests pass or fail.
func TestRunSaysLastWhatItHasNotChecked(t *testing.T) {
	t.Parallel()
	const notChecked = "NOT CHECKED: the vulnerability database is out of reach"
	for name, test := range map[string]struct {
		vuln, tests string
		code        int
		last        string
	}{
		"all is well":           {"exit 0", "echo ok", 0, "ok"},
		"no database":           {"echo 'govulncheck: fetching vulnerabilities: no route' >&2; exit 1", "echo ok", 0, notChecked},
		"no database, no tests": {"echo 'govulncheck: fetching vulnerabilities: no route' >&2; exit 1", "echo FAIL; exit 3", 3, notChecked},
		"a vulnerability":       {"echo 'GO-2026-0001'; exit 1", "echo ok", 1, "GO-2026-0001"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write := func(name, content string) {
				path := filepath.Join(dir, name)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o700)); err != nil {
					t.Fatal(err)
				}
			}
			write(".ci/run", readText(t, "../../../.ci/run"))
			for _, program := range []string{"go", "gofmt", "git", "chromium"} {
				write("bin/"+program, "#!/bin/sh\nexit 0\n")
			}
			write("bin/make", "#!/bin/sh\ncase $1 in\nvuln) "+test.vuln+" ;;\ntest) "+test.tests+" ;;\nesac\n")
			run := exec.CommandContext(t.Context(), filepath.Join(dir, ".ci", "run"))
			run.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
			out, err := run.CombinedOutput()
			code := 0
			if exit, is := errors.AsType[*exec.ExitError](err); is {
				code = exit.ExitCode()
			}
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			if code != test.code || lines[len(lines)-1] != test.last {
				t.Errorf("exit code %d, want %d; the last line should be %q in:\n%s", code, test.code, test.last, out)
			}
		})
	}
}

// Each commit of a pull request has the sign-off of its author; those before it, merges and bots need none.
func TestSigned(t *testing.T) {
	t.Parallel()
	const ann, sign = "Ann <ann@example.com>", "\n\nSigned-off-by: "
	for name, test := range map[string]struct {
		author, message string
		passes          bool
	}{
		"signed":               {ann, "Fix it" + sign + ann, true},
		"signed by two":        {ann, "Fix it" + sign + "Bob <bob@example.com>\nSigned-off-by: " + ann, true},
		"not signed":           {ann, "Fix it", false},
		"signed by another":    {ann, "Fix it" + sign + "Bob <bob@example.com>", false},
		"another address":      {ann, "Fix it" + sign + "Ann <ann@example.org>", false},
		"mentioned, no signed": {ann, "Fix it: no Signed-off-by: " + ann, false},
		"a bot":                {"dependabot[bot] <1+dependabot[bot]@users.noreply.github.com>", "Raise it", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			script, err := filepath.Abs("../../../.ci/signed")
			if err != nil {
				t.Fatal(err)
			}
			run := func(program string, args ...string) (string, error) {
				command := exec.CommandContext(t.Context(), program, args...)
				command.Dir = dir
				command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
					"GIT_COMMITTER_NAME=Web", "GIT_COMMITTER_EMAIL=web@example.com")
				out, err := command.CombinedOutput()
				return string(out), err
			}
			for _, args := range [][]string{
				{"init", "--quiet"},
				{"commit", "--quiet", "--allow-empty", "--author", ann, "--message", "Before the rule"},
				{"commit", "--quiet", "--allow-empty", "--author", test.author, "--message", test.message},
			} {
				if out, err := run("git", args...); err != nil {
					t.Fatalf("git %s: %v\n%s", args[0], err, out)
				}
			}
			out, err := run(script, "HEAD^..HEAD")
			if _, failed := errors.AsType[*exec.ExitError](err); failed == test.passes {
				t.Errorf("it ended with %v:\n%s", err, out)
			}
			if !test.passes && !strings.Contains(out, `lacks the line "Signed-off-by: `+ann+`"`) {
				t.Errorf("it does not say which line is missing:\n%s", out)
			}
		})
	}
}
