package testcluster_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// envVictim makes TestVictim the process that TestServersDieWithAKilledParent kills.
const envVictim = "TESTCLUSTER_VICTIM"

// processesNaming lists the command lines that contain a text.
func processesNaming(t *testing.T, text string) []string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("processes are listed from /proc")
	}
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err == nil && bytes.Contains(line, []byte(text)) {
			found = append(found, string(bytes.ReplaceAll(line, []byte{0}, []byte(" "))))
		}
	}
	return found
}

func TestServersDieWithAKilledParent(t *testing.T) {
	t.Parallel()
	requireCluster(t)
	victim := exec.Command(os.Args[0], "-test.run=^TestVictim$", "-test.v")
	victim.Env = append(os.Environ(), envVictim+"=1", "TF_ACC=")
	output, err := victim.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	var dir string
	for lines := bufio.NewScanner(output); dir == "" && lines.Scan(); {
		if path, ok := strings.CutPrefix(lines.Text(), "started "); ok {
			dir = filepath.Dir(path)
		}
	}
	if err := victim.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = victim.Wait()
	if dir == "" {
		t.Fatal("the victim did not start a control plane")
	}
	eventually(t, func() error {
		if left := processesNaming(t, dir); len(left) != 0 {
			return fmt.Errorf("still running: %q", left)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s is still there, error %w", dir, err)
		}
		return nil
	})
}

// TestVictim starts a control plane and waits for its death.
func TestVictim(t *testing.T) {
	if os.Getenv(envVictim) == "" {
		t.Skip("runs only as a child of TestServersDieWithAKilledParent")
	}
	started, err := testcluster.Start(t.Context(), testcluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("\nstarted %s\n", started.KubeconfigPath())
	select {}
}
