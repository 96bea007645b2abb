package outages_test

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A plugin that hangs is killed with the processes that it has started when the provider ends, long before the plugin's own time is over.
func TestPluginDoesNotOutliveProvider(t *testing.T) {
	s := newStage(t)
	pids := s.Dir + "/pids"
	hanging := s.file("plugin", "#!/bin/sh\nsleep 300 &\necho $$ $! >> '"+pids+"'\nwait\n", 0o700)
	s.ConfigureProvider(withPlugin(hanging), s.sized("small", "timeouts {\n    read = \"10s\"\n  }"))
	s.says(s.exits(story.Refused, "plan"), "Credential Plugin Failed", "it has not ended in time")
	text, err := os.ReadFile(pids)
	story.Must(t, err)
	processes := strings.Fields(string(text))
	if len(processes) < 2 {
		t.Fatalf("the plugin noted %q", text)
	}
	for _, field := range processes {
		pid, err := strconv.Atoi(field)
		story.Must(t, err)
		s.Await("the process "+field+" is gone", func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || isZombie(field) })
	}
}

// isZombie reports whether a process has ended, and its parent has not asked for that.
func isZombie(pid string) bool {
	status, err := os.ReadFile("/proc/" + pid + "/stat")
	return err == nil && strings.Contains(string(status), ") Z ")
}

// What a plugin writes to standard error is in the debug log, and in no other place.
func TestPluginStandardError(t *testing.T) {
	s := newStage(t)
	const complaint = "complaint-of-the-plugin-4711"
	plugin := s.file("plugin", "#!/bin/sh\necho "+complaint+" >&2\n"+credential(s.token("logged"))+"\n", 0o700)
	s.ConfigureProvider(withPlugin(plugin), s.sized("small"))
	for level, want := range map[string]bool{"DEBUG": true, "INFO": false} {
		path := s.file(level+".log", "", 0o600)
		before := s.Env
		s.Env = append(s.Env, "TF_LOG="+level, "TF_LOG_PATH="+path)
		s.lacks(s.exits(story.Nothing, "plan"), complaint)
		s.Env = before
		text, err := os.ReadFile(path)
		story.Must(t, err)
		logged := false
		for line := range strings.Lines(string(text)) {
			if !strings.Contains(line, complaint) {
				continue
			}
			logged = true
			if !strings.Contains(line, "[DEBUG]") {
				t.Errorf("%s: %s", level, line)
			}
		}
		if logged != want || len(text) == 0 {
			t.Errorf("%s: the log of %d bytes has the text: %t, want %t", level, len(text), logged, want)
		}
	}
}

// A plugin that prints without end is stopped.
func TestPluginThatPrintsWithoutEnd(t *testing.T) {
	s := newStage(t)
	plugin := s.file("plugin", "#!/bin/sh\nexec cat /dev/zero\n", 0o700)
	s.ConfigureProvider(withPlugin(plugin), s.sized("small"))
	s.says(s.exits(story.Refused, "plan"), "Credential Plugin Failed", "it printed more than 1 MiB")
}
