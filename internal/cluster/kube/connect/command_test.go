//go:build unix

package connect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/klog/v2"
)

// sink keeps the fields of each line.
type sink struct{ lines *[]map[string]any }

func (sink) Init(logr.RuntimeInfo)            {}
func (sink) Enabled(int) bool                 { return true }
func (sink) Error(error, string, ...any)      {}
func (s sink) WithValues(...any) logr.LogSink { return s }
func (s sink) WithName(string) logr.LogSink   { return s }
func (s sink) Info(_ int, message string, pairs ...any) {
	fields := map[string]any{"message": message}
	for i := 0; i < len(pairs); i += 2 {
		fields[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	*s.lines = append(*s.lines, fields)
}

// shell returns a plugin that is a script, and the lines that it logs.
func shell(t *testing.T, script string) (*plugin, *[]map[string]any) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plugin")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	var logged []map[string]any
	log := logr.New(sink{&logged})
	p := &plugin{
		config: &clientcmdapi.ExecConfig{
			Command: path,
			Env:     []clientcmdapi.ExecEnvVar{{Name: "FROM_CONFIG", Value: "value"}},
		},
		version: schema.GroupVersion{Group: "client.authentication.k8s.io", Version: "v1"},
	}
	p.ask = func(ctx context.Context) (*credentials, error) { return p.askCommand(klog.NewContext(ctx, log)) }
	return p, &logged
}

const given = `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t1","expirationTimestamp":"2999-01-02T03:04:05Z"}}'`

// What a plugin prints becomes credentials, and no error shows it.
func TestWhatPluginsPrint(t *testing.T) {
	t.Parallel()
	const head = `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",`
	for name, test := range map[string]struct{ script, says string }{
		"a token":            {given, ""},
		"its input":          {`case "$FROM_CONFIG $KUBERNETES_EXEC_INFO" in 'value {"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"'*) ` + given + ";; esac", ""},
		"nothing":            {"true", "what it printed is not an ExecCredential"},
		"another version":    {`echo '{"apiVersion":"client.authentication.k8s.io/v1beta1","kind":"ExecCredential","status":{"token":"hunter2"}}'`, "it returned version client.authentication.k8s.io/v1beta1"},
		"half a certificate": {head + `"status":{"clientKeyData":"hunter2"}}'`, "returned only certificate or key, not both"},
		"a bad certificate":  {head + `"status":{"clientKeyData":"hunter2","clientCertificateData":"hunter2"}}'`, "the certificate and key that it returned cannot be used"},
		"a token in 2 lines": {head + `"status":{"token":"hunter2\u000ahunter2"}}'`, "characters that a token cannot have"},
		"too much":           {"exec cat /dev/zero", "it printed more than 1 MiB"},
		"a failure":          {"echo hunter2 >&2; exit 3", "failed with exit code 3"},
		"a signal":           {"kill -9 $$", "killed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _ := shell(t, test.script)
			got, err := p.ask(t.Context())
			switch {
			case test.says == "":
				if err != nil || got.token != "t1" || got.expires.Year() != 2999 {
					t.Errorf("got %v, %v", got, err)
				}
			case err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "hunter2"):
				t.Errorf("got %v, want an error that says %q", err, test.says)
			}
		})
	}
}

func TestCommandsThatDoNotStart(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "plugin")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for command, says := range map[string]string{
		"k8sconnect-no-such-plugin": "not found", file + "-missing": "not found", file: "cannot be started: permission denied",
	} {
		p, _ := shell(t, "")
		p.config.Command = command
		if _, err := p.ask(t.Context()); err == nil || !strings.Contains(err.Error(), says) ||
			!strings.Contains(err.Error(), command) {
			t.Errorf("%s: %v, want an error that says %q", command, err, says)
		}
	}
	p, _ := shell(t, given)
	p.config.InteractiveMode = clientcmdapi.AlwaysExecInteractiveMode
	if _, err := p.ask(t.Context()); err == nil || !strings.Contains(err.Error(), "it needs a terminal") {
		t.Errorf("interactive: %v", err)
	}
}

// Standard error goes to the log, bounded, and the plugin does not fail for it.
func TestStandardErrorIsLogged(t *testing.T) {
	t.Parallel()
	p, logged := shell(t, "echo first >&2; head -c 3000000 /dev/zero >&2; "+given)
	if _, err := p.ask(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(*logged) != 1 {
		t.Fatalf("logged %d lines", len(*logged))
	}
	line := (*logged)[0]
	stderr, _ := line["stderr"].(string)
	if !strings.HasPrefix(stderr, "first\n") || len(stderr) != mostStderr ||
		line["bytes_left_out"] != 3000000+6-mostStderr {
		t.Errorf("logged %d bytes, left out %v", len(stderr), line["bytes_left_out"])
	}
}

// When its time is over, a plugin is killed with the processes that it has started.
//
//nolint:paralleltest // StopPlugins stops the plugins of other tests.
func TestPluginIsKilledWithItsChildren(t *testing.T) {
	for name, end := range map[string]func(cancel func()){
		"its time is over":  func(cancel func()) { cancel() },
		"the provider ends": func(func()) { StopPlugins() },
	} {
		t.Run(name, func(t *testing.T) {
			pids := filepath.Join(t.TempDir(), "pids")
			p, _ := shell(t, "sleep 300 & echo $$ $! > '"+pids+".new'; mv '"+pids+".new' '"+pids+"'; wait")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			go func() { _, err := p.ask(ctx); ended <- err }()
			var text []byte
			await(t, "the plugin runs", func() bool { text, _ = os.ReadFile(pids); return len(text) > 0 })
			end(cancel)
			if err := <-ended; err == nil {
				t.Error("the plugin gave credentials")
			}
			for _, field := range strings.Fields(string(text)) {
				pid, err := strconv.Atoi(field)
				if err != nil {
					t.Fatal(err)
				}
				await(t, field+" is gone", func() bool { return isGone(pid) })
			}
		})
	}
}

// isGone reports whether a process has ended. One that no process has waited for is a zombie.
func isGone(pid int) bool {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || err == nil && strings.Contains(string(status), ") Z ")
}

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain: " + what)
		}
	}
}
