package command_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/command"
)

// planOf writes a plan with objects from which the apply takes a field, and returns its file.
func planOf(t *testing.T, objects int) string {
	t.Helper()
	var changes []string
	for i := range objects {
		changes = append(changes, fmt.Sprintf(`{"address":"k8sconnect_manifest.a[%d]","mode":"managed","type":"k8sconnect_manifest",
"change":{"actions":["update"],"before":{"yaml_body":"hunter2","id":"apiVersion=v1,kind=ConfigMap,namespace=a,name=n%[1]d",
"field_manager":"us","field_ownership":{"data.a":"</script>them"},"managed_state":{"data.a":"1"}},
"after":{"yaml_body":"hunter2","field_manager":"us","field_ownership":{"data.a":"us"},"managed_state":{"data.a":"2"}}}}`, i))
	}
	file := filepath.Join(t.TempDir(), "plan.json")
	text := `{"format_version":"1.2","resource_changes":[` + strings.Join(changes, ",") + "]}"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestFormats(t *testing.T) {
	t.Parallel()
	file := planOf(t, 1000)
	for _, format := range []string{"text", "markdown", "json", "sarif", "html"} {
		var out, errs strings.Builder
		if code := command.Run([]string{file, "--format", format}, &out, &errs); code != 0 {
			t.Fatalf("%s: %d: %s", format, code, errs.String())
		}
		text := out.String()
		if strings.Contains(text, "hunter2") || !strings.Contains(text, "data.a") {
			t.Errorf("%s: %.2000s", format, text)
		}
		var parsed any
		switch format {
		case "json", "sarif":
			if err := json.Unmarshal([]byte(text), &parsed); err != nil {
				t.Error(format, err)
			}
		case "markdown":
			if n := utf8.RuneCountInString(text); n > 60_000 || n < 50_000 || !strings.Contains(text, "\nCut: ") {
				t.Errorf("%d characters, ends with %s", n, text[len(text)-100:])
			}
		case "html":
			if strings.Count(text, "</script>") != 2 {
				t.Error("a value ends the element with the data")
			}
		}
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	file := planOf(t, 1)
	for args, want := range map[string]int{
		"--fail-on take:*them": 2, "--fail-on take:x": 0, "--fail-on x": 1, "--format x": 1, "--rules /none": 1, "--help": 0,
	} {
		var out, errs strings.Builder
		if code := command.Run(append([]string{file}, strings.Fields(args)...), &out, &errs); code != want {
			t.Errorf("%s: %d, want %d: %s", args, code, want, errs.String())
		}
	}
}

func TestWarningsAboutPatterns(t *testing.T) {
	t.Parallel()
	var out, errs strings.Builder
	if code := command.Run([]string{planOf(t, 1), "--fail-on", "delete:pcv,pvc"}, &out, &errs); code != 0 {
		t.Errorf("exit code %d", code)
	}
	const want = "Warning: the pattern \"pcv\" of the rule delete:pcv,pvc matches no kind of the plan, and no well-known one\n"
	if errs.String() != want {
		t.Errorf("stderr is %q", errs.String())
	}
}
