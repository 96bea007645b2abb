// Package sarif checks the SARIF of a report against the schema of SARIF 2.1.0. It is in a module of its own, because
// nothing else needs the library that has the schema.
package sarif

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

func TestSARIFFitsItsSchema(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "terraform-provider-k8sconnect")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-C", "../../..", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("build the provider: %v\n%s", err, out)
	}
	const recorded = "../acceptance/testdata/conflicts/shop/"
	made, err := exec.CommandContext(t.Context(), program, "report", "--format", "sarif", "--fail-on", "take:kube-controller-manager",
		"--fail-on", "delete", recorded+"plan.json", recorded+"plan.jsonl").Output()
	// The plan breaks the rules.
	if failed, is := errors.AsType[*exec.ExitError](err); !is || failed.ExitCode() != 2 {
		t.Fatalf("want the exit code 2, got %v", err)
	}
	known := json.NewDecoder(bytes.NewReader(made))
	known.DisallowUnknownFields()
	if err := known.Decode(&sarif.Report{}); err != nil {
		t.Error(err)
	}
	parsed, err := sarif.FromBytes(made)
	if err != nil {
		t.Fatal(err)
	}
	// The library checks what it writes itself, and it writes these although they are absent.
	run := parsed.Runs[0]
	run.Language, run.Tool.Driver.Language, run.NewlineSequences = "en", "en", []string{"\n"}
	if err := parsed.Validate(); err != nil {
		t.Error(err)
	}
	if len(run.Results) < 10 {
		t.Errorf("%d results: %s", len(run.Results), made)
	}
}
