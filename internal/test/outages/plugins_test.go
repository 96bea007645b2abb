package outages_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// withPlugin returns a connection with a credential plugin.
func withPlugin(command string) string {
	return with(fmt.Sprintf("exec = {\n  api_version = \"client.authentication.k8s.io/v1\"\n  command = %q\n}", command))
}

// credential returns a shell command that prints a token as plugins do.
func credential(token string) string {
	return `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"` + token + `"}}'`
}

// Errors about a plugin name the plugin, and never show what it printed.
func TestPluginsThatFail(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	for name, test := range map[string]struct {
		script string
		says   string
	}{
		"nonsense":            {"echo '" + secret + "'", "what it printed is not an ExecCredential"},
		"broken YAML":         {"echo 'token: [" + secret + "'", "what it printed is not an ExecCredential"},
		"a list":              {"echo '[\"" + secret + "\"]'", "what it printed is not an ExecCredential"},
		"another kind":        {`echo '{"apiVersion":"v1","kind":"` + secret + `"}'`, "what it printed is not an ExecCredential"},
		"no token":            {`echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{}}'`, "didn't return a token"},
		"no status":           {`echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","spec":{"x":"` + secret + `"}}'`, "didn't return a status field"},
		"a failure":           {"echo " + secret + "; exit 3", "failed with exit code 3"},
		"nothing, and is not": {"", "not found (install it where Terraform runs, or write its whole path)"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			command := "k8sconnect-no-such-plugin"
			if test.script != "" {
				command = s.file("plugin", "#!/bin/sh\n"+test.script+"\n", 0o700)
			}
			log := s.file("trace.log", "", 0o600)
			s.Env = append(s.Env, "TF_LOG=TRACE", "TF_LOG_PATH="+log)
			s.ConfigureProvider(withPlugin(command), s.sized("small"))
			said := s.exits(story.Refused, "plan")
			s.says(said, "Credential Plugin Failed", "ConfigMap "+s.Namespace+"/sized (v1) could not be planned", command, test.says,
				"Run the plugin (exec.command of the cluster connection")
			traced, err := os.ReadFile(log)
			story.Must(t, err)
			if len(traced) == 0 || strings.Contains(said, secret) || strings.Contains(string(traced), secret) {
				t.Errorf("what the plugin printed is shown:\n%s", said)
			}
		})
	}
}

// A plugin that does not end ends with the operation's timeout, once for all objects that wait for it.
func TestPluginThatHangs(t *testing.T) {
	s := newStage(t)
	pid := s.Dir + "/pid"
	hanging := s.file("plugin", "#!/bin/sh\necho $$ > '"+pid+"'\nexec sleep 300\n", 0o700)
	t.Cleanup(func() { s.kill(pid) })
	s.ConfigureProvider(withPlugin(hanging), s.many("many", 20, "timeouts {\n    read = \"5s\"\n  }"))
	began := time.Now()
	said := s.exits(story.Refused, "plan")
	if took := time.Since(began); took > time.Minute {
		t.Errorf("the plan took %s", took)
	}
	s.says(said, "Credential Plugin Failed", hanging, "it has not ended in time")
	if told := strings.Count(said, "it has not ended in time"); told != 20 {
		t.Errorf("%d objects could not be planned, want 20", told)
	}
}

// kill ends the process that a file names.
func (s *stage) kill(file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		return
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	story.Must(s.T, err)
	process, err := os.FindProcess(pid)
	story.Must(s.T, err)
	_ = process.Kill()
}

// A plugin whose first token the server refuses is asked again, and no object fails for it.
func TestPluginPrintsExpiredTokenFirst(t *testing.T) {
	s := newStage(t)
	expired, fresh := s.token("expired"), s.token("fresh")
	s.revoke("expired", expired)
	asked := s.file("asked", "", 0o600)
	plugin := s.file("plugin", "#!/bin/sh\necho >> '"+asked+"'\nif [ $(wc -l < '"+asked+"') = 1 ]; then\n"+
		credential(expired)+"\nelse\n"+credential(fresh)+"\nfi\n", 0o700)
	s.ConfigureProvider(withPlugin(plugin), s.many("many", 20))
	s.exits(story.Nothing, "plan", "-out=first.plan")
	story.Must(t, os.WriteFile(asked, nil, 0o600)) // The apply is another process.
	s.exits(story.Nothing, "apply", "first.plan")
	s.expectAll("many", 20)
	s.settled()
	times, err := os.ReadFile(asked)
	story.Must(t, err)
	if count := strings.Count(string(times), "\n"); count != 3 {
		t.Errorf("the plugin was asked %d times, want twice by the apply and once by the plan after it", count)
	}
}

// A command with a path that is not absolute is found where Terraform runs, as scripts beside the configuration are.
func TestPluginBesideConfiguration(t *testing.T) {
	s := newStage(t)
	token := s.token("beside")
	s.file("login.sh", "#!/bin/sh\n"+credential(token)+"\n", 0o700)
	s.ConfigureProvider(withPlugin("./login.sh"), s.sized("small"))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.expectSize("small")
	s.exits(story.Nothing, "destroy", "-auto-approve")
}
