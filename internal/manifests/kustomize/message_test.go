package kustomize_test

import (
	"encoding/base64"
	"path/filepath"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/kustomize"
)

// An error has no word of what a generator, a patch or a file contains. It keeps the file, the field and the reason.
func TestErrorsDoNotQuoteContents(t *testing.T) {
	t.Parallel()
	const (
		token  = "hunter2-Kustom"
		phrase = "invalid resource directory" // Words that kustomize itself says.
		app    = "apiVersion: v1\nkind: Secret\nmetadata: {name: app}\nstringData: {password: " + token + "}\n"
	)
	all := func(lines ...string) string { return strings.Join(lines, "\n") + "\n" }
	for name, test := range map[string]struct {
		files map[string]string
		says  []string
	}{
		"a literal without a key":          {map[string]string{"kustomization.yaml": all("secretGenerator:", "- name: db", "  literals:", "  - "+token)}, []string{"invalid literal source", "expected key=value"}},
		"a literal of words":               {map[string]string{"kustomization.yaml": all("secretGenerator:", "- name: db", "  literals:", "  - "+phrase)}, []string{"invalid literal source", "expected key=value"}},
		"a literal of a ConfigMap":         {map[string]string{"kustomization.yaml": all("configMapGenerator:", "- name: db", "  literals: ["+token+"]")}, []string{"invalid literal source"}},
		"a key twice":                      {map[string]string{"kustomization.yaml": all("secretGenerator:", "- name: db", "  literals: ['"+token+"=a', '"+token+"=b']")}, []string{"illegally repeats the key"}},
		"an env file that is not UTF-8":    {map[string]string{"kustomization.yaml": all("secretGenerator:", "- name: db", "  envs: [app.env]"), "app.env": "A=" + token + "\xff\n"}, []string{"app.env"}},
		"literals that are no list":        {map[string]string{"kustomization.yaml": all("secretGenerator:", "- name: db", "  literals: "+token)}, []string{"literals"}},
		"a literal that is a map":          {map[string]string{"kustomization.yaml": all("secretGenerator:", "- name: db", "  literals: [{password: "+token+"}]")}, []string{"literals"}},
		"a generator that is a string":     {map[string]string{"kustomization.yaml": all("secretGenerator:", "- "+token)}, []string{"secretGenerator"}},
		"an unknown field":                 {map[string]string{"kustomization.yaml": all("secretGenerator:", "- name: db", "  literal: ['password="+token+"']")}, []string{"unknown field"}},
		"an inline patch that is no YAML":  {map[string]string{"kustomization.yaml": all("resources: [app.yaml]", "patches:", "- patch: |-", "    kind: Secret", "    stringData: {password: "+token), "app.yaml": app}, []string{"patch"}},
		"an inline patch without a name":   {map[string]string{"kustomization.yaml": all("resources: [app.yaml]", "patches:", "- patch: |-", "    apiVersion: v1", "    kind: Secret", "    stringData: {password: "+token+"}"), "app.yaml": app}, []string{"patch"}},
		"an inline patch of JSON":          {map[string]string{"kustomization.yaml": all("resources: [app.yaml]", "patches:", "- target: {kind: Secret}", "  patch: '[{\"op\": \"test\", \"path\": \"/stringData/password\", \"value\": \""+token+"x\"}]'"), "app.yaml": app}, []string{""}},
		"a patch by the former field":      {map[string]string{"kustomization.yaml": all("resources: [app.yaml]", "patchesStrategicMerge:", "- '{kind: Secret, stringData: {password: "+token+"}}'"), "app.yaml": app}, []string{"patch"}},
		"a patch in a file":                {map[string]string{"kustomization.yaml": all("resources: [app.yaml]", "patches: [{path: patch.yaml}]"), "patch.yaml": "stringData: {password: [" + token + "\n", "app.yaml": app}, []string{"patch"}},
		"a patch of another object":        {map[string]string{"kustomization.yaml": all("resources: [app.yaml]", "patches: [{path: patch.yaml}]"), "patch.yaml": strings.Replace(app, "name: app", "name: other", 1), "app.yaml": app}, []string{"Secret", "other"}},
		"a resource with an alias":         {map[string]string{"kustomization.yaml": "resources: [app.yaml]\n", "app.yaml": strings.Replace(app, token, "*"+token, 1)}, []string{"app.yaml", "unknown anchor"}},
		"a resource with a tag":            {map[string]string{"kustomization.yaml": "resources: [app.yaml]\n", "app.yaml": strings.Replace(app, token, "!!int "+token, 1)}, []string{"cannot decode"}},
		"a resource with a key twice":      {map[string]string{"kustomization.yaml": "resources: [app.yaml]\n", "app.yaml": strings.Replace(app, "{password: "+token, "{"+token+": a, "+token+": b", 1)}, []string{"already"}},
		"a resource without a name":        {map[string]string{"kustomization.yaml": "resources: [app.yaml]\n", "app.yaml": strings.Replace(app, "{name: app}", "{labels: {a: b}}", 1)}, []string{"app.yaml"}},
		"a resource without a kind":        {map[string]string{"kustomization.yaml": "resources: [app.yaml]\n", "app.yaml": strings.Replace(app, "kind: Secret\n", "", 1)}, []string{"app.yaml"}},
		"a resource that is a string":      {map[string]string{"kustomization.yaml": "resources: [app.yaml]\n", "app.yaml": token}, []string{"app.yaml"}},
		"a kustomization with an alias":    {map[string]string{"kustomization.yaml": all("secretGenerator:", "- name: db", "  literals: ['a=b', *"+token+"]")}, []string{"unknown anchor"}},
		"a kustomization that is a string": {map[string]string{"kustomization.yaml": token}, []string{"invalid Kustomization"}},
		"two equal objects":                {map[string]string{"kustomization.yaml": "resources: [app.yaml, more.yaml]\n", "app.yaml": app, "more.yaml": app}, []string{"more.yaml", "app"}},
		"a replacement":                    {map[string]string{"kustomization.yaml": all("resources: [app.yaml]", "replacements:", "- source: {kind: Secret, name: app, fieldPath: stringData.password}", "  targets: [{select: {kind: Secret}, fieldPaths: [data.a.b]}]"), "app.yaml": app}, []string{"replacement"}},
		"a generator in a file":            {map[string]string{"kustomization.yaml": "generators: [g.yaml]\n", "g.yaml": "apiVersion: builtin\nkind: SecretGenerator\nmetadata: {name: db}\nliterals: [" + token + "]\n"}, []string{"invalid literal source"}},
		"a generator with a wrong field":   {map[string]string{"kustomization.yaml": "generators: [g.yaml]\n", "g.yaml": "apiVersion: builtin\nkind: SecretGenerator\nmetadata: {name: db}\nliterals: {password: " + token + "}\n"}, []string{"literals"}},
		"an inline generator":              {map[string]string{"kustomization.yaml": all("generators:", "- |-", "  apiVersion: builtin", "  kind: SecretGenerator", "  metadata: {name: db}", "  literals: ["+token+", {a: b}]")}, []string{"literals"}},
		"labels":                           {map[string]string{"kustomization.yaml": all("resources: [app.yaml]", "commonLabels: {a: [\""+token+"\"]}"), "app.yaml": app}, []string{"commonLabels"}},
		"a base of the base":               {map[string]string{"kustomization.yaml": "resources: [base]\n", "base/kustomization.yaml": all("secretGenerator:", "- name: db", "  literals: ["+token+"]")}, []string{"invalid literal source"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := folder(t, test.files)
			_, err := kustomize.Build(dir)
			if err == nil {
				t.Fatal("kustomize accepts it")
			}
			said := err.Error()
			t.Log(strings.ReplaceAll(said, dir, "DIR"))
			for _, secret := range []string{token, "hunter2", "Kustom-", base64.StdEncoding.EncodeToString([]byte(token)), phrase} {
				if strings.Contains(strings.ReplaceAll(said, dir, ""), secret) {
					t.Errorf("it quotes %q", secret)
				}
			}
			for _, part := range test.says {
				if !strings.Contains(said, part) {
					t.Errorf("it does not say %q", part)
				}
			}
		})
	}
	if _, err := kustomize.Build(filepath.Join(t.TempDir(), "hunter2")); err == nil || !strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the path of the user is not in %v", err)
	}
}
