package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The log of an apply has a line for each request, for what a watch sees and for the cluster that was chosen, and no value of an object.
func TestLogOfAnApply(t *testing.T) {
	s := story.New(t)
	w := s.Workspace()
	path := filepath.Join(t.TempDir(), "apply.log")
	const body = "apiVersion: v1\nkind: Secret\nmetadata: {name: settings, namespace: NS, annotations: {note: hunter2-of-the-note}}\nstringData: {password: hunter2-of-the-secret}\n"
	w.Configure(s.Manifest("test", body, `wait = { fields = { "data.done" = "*" } }`))
	w.Env = append(w.Env, "TF_LOG_PROVIDER=DEBUG", "TF_LOG_PATH="+path)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Await("the log reports the wait", func() bool {
			text, err := os.ReadFile(path)
			return err == nil && strings.Contains(string(text), ": Waiting for Secret ")
		})
		s.As("eve").Patch("v1 Secret settings", `{"stringData": {"done": "yes"}}`)
	}()
	w.Do("apply", "-auto-approve")
	<-done
	raw, err := os.ReadFile(path)
	story.Must(t, err)
	for _, secret := range []string{"hunter2", "aHVudGVyMi", "Bearer", "BEGIN", "yaml_body=", "Authorization"} {
		if strings.Contains(string(raw), secret) {
			t.Errorf("the log has %s", secret)
		}
	}
	golden.Compare(t, "planning/log/apply.txt", logged(s, string(raw)))
	w.Do("destroy", "-auto-approve")
}

var (
	lineOfLog = regexp.MustCompile(`^\S+ \[(DEBUG|INFO)\]\s+(provider[^:]*: .*@module=k8sconnect\b.*)$`)
	fields    = regexp.MustCompile(`:? (timestamp=\S+|@module=k8sconnect|path=\S+|server=\S+)`)
	millis    = regexp.MustCompile(`\b[0-9]+ms$`)
	versions  = regexp.MustCompile(`version [0-9]+ `)
	servers   = regexp.MustCompile(`https://127\.0\.0\.1:[0-9]+`)
	passed    = regexp.MustCompile(`settings \(v1\) [0-9]+s:`)
)

// logged returns the lines of the provider, without what differs between two runs, and without the fields behind the messages. The requests
// for discovery are sent at the same time.
func logged(s *story.Story, raw string) string {
	var lines []string
	discovery := 0
	for line := range strings.Lines(raw) {
		found := lineOfLog.FindStringSubmatch(strings.TrimSpace(line))
		if found == nil {
			continue
		}
		line = millis.ReplaceAllString(fields.ReplaceAllString(found[2], ""), "14ms")
		line = versions.ReplaceAllString(servers.ReplaceAllString(line, "https://127.0.0.1:6443"), "version 4711 ")
		line = passed.ReplaceAllString(strings.ReplaceAll(line, s.Namespace, "shop"), "settings (v1) 10s:")
		line = fmt.Sprintf("%-7s %s", "["+found[1]+"]", line)
		if strings.HasSuffix(line, "GET /api 200 14ms") || strings.HasSuffix(line, "GET /apis 200 14ms") {
			discovery++
		} else {
			discovery = 0
		}
		if lines = append(lines, line); discovery > 1 {
			slices.Sort(lines[len(lines)-discovery:])
		}
	}
	return strings.Join(slices.Compact(lines), "\n") + "\n"
}
