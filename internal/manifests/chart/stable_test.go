package chart_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chart"
)

// beside renders a chart beside what its rendering with other values has made.
func beside(t *testing.T, of files, before, after string) (first, second *chart.Rendering, server *stub) {
	t.Helper()
	server = &stub{}
	asks := request(t, of, before)
	asks.Cluster = server
	first = render(t, asks)
	server.store(t, first)
	return first, again(t, of, after, server), server
}

// again renders a chart beside what is on the cluster.
func again(t *testing.T, of files, values string, server *stub) *chart.Rendering {
	t.Helper()
	asks := request(t, of, values)
	asks.Cluster = server
	return render(t, asks)
}

const secretOfText = `apiVersion: v1
kind: Secret
metadata: {name: text}
stringData:
  text: |-
%s
`

// around are texts with generated values; HOST changes. In the last ones, nothing tells where the value was.
var around = map[string]struct {
	text   string
	isLost bool
}{
	"two draws":             {text: "session: {{ randAlphaNum 32 }}\ncsrf: {{ randAlphaNum 32 }}\nhost: HOST"},
	"one draw twice":        {text: "{{ $a := randAlphaNum 8 }}a: {{ $a }}\nhost: HOST\nb: {{ $a }}"},
	"two draws of one line": {text: "{{ randAlphaNum 8 }}:{{ randAscii 9 | replace \"@\" \"a\" }}@HOST/db"},
	"short number":          {text: "{{ randInt 0 59 }} HOST * * *"},
	"short numbers":         {text: "{{ randInt 0 59 }} {{ randInt 0 23 }} * * HOST"},
	"date":                  {text: "host: HOST\nat: {{ now | date \"2006-01-02T15:04:05Z07:00\" }} # HOST"},
	"lower case":            {text: "token={{ randAlphaNum 20 | lower }} HOST\nhost=HOST"},
	"another line before":   {text: "token: {{ randAlphaNum 9 }}\n{{ if eq \"HOST\" \"two\" }}new: line\n{{ end }}bare:\n{{ randAlphaNum 9 }}"},
	"certificate":           {text: "ca: |\n{{ (genSelfSignedCertWithKey \"a\" nil nil 9 (genPrivateKey \"ecdsa\")).Cert | indent 2 }}\nhost: HOST"},
	"no text between":       {text: "{{ randAlphaNum 8 }}{{ randAlphaNum 8 }} HOST"},
	"text before":           {text: "{{ randAlphaNum 8 }}: a\nHOST={{ randAlphaNum 8 }}\nc: {{ randAlphaNum 8 }}", isLost: true},
	"text behind":           {text: "HOST: a\ntoken: {{ randAlphaNum 8 }}HOST", isLost: true},
	"several such lines":    {text: "- {{ randAlphaNum 8 }}\n- {{ randAlphaNum 8 }}\n- HOST\n- {{ randAlphaNum 8 }}", isLost: true},
}

// What a chart has around a generated value is that of the chart, also in a Secret, and the value stays.
func TestTextsAroundGeneratedValues(t *testing.T) {
	for name, tt := range around {
		t.Run(name, func(t *testing.T) {
			lines := strings.ReplaceAll("    "+strings.ReplaceAll(tt.text, "\n", "\n    "), "HOST", "{{ .Values.host }}")
			lines = strings.ReplaceAll(lines, `"{{ .Values.host }}"`, ".Values.host")
			of := files{"templates/a.yaml": fmt.Sprintf(secretOfText, strings.ReplaceAll(lines, "indent 2", "indent 6"))}
			first, second, server := beside(t, of, "host: one", "host: two")
			was, is := secret(t, first, "text")["text"], secret(t, second, "text")["text"]
			want := strings.ReplaceAll(was, "one", "two")
			if name == "another line before" {
				want = strings.Replace(was, "\nbare", "\nnew: line\nbare", 1)
			}
			if (is == want) == tt.isLost || strings.Contains(is, "one") || !strings.Contains(is, "two") && !strings.Contains(is, "new") {
				t.Errorf("%s\nbecomes\n%s", was, is)
			}
			if isNew := len(second.New) == 1; isNew != tt.isLost {
				t.Errorf("new: %q", second.New)
			}
			server.store(t, second)
			for range 8 {
				next := again(t, of, "host: two", server)
				equal(t, "the next one", secret(t, next, "text")["text"], is)
				equal(t, "the next new", next.New, []string{})
			}
		})
	}
}

// What a checksum is computed from is what is on the cluster, with what the chart has around it.
func TestChecksumsOfTexts(t *testing.T) {
	of := files{"templates/a.yaml": `{{ $text := print "a: " (randAlphaNum 8) "\nb: " (randAlphaNum 8) "\nc: " .Values.host }}` + "\n" +
		fmt.Sprintf(secretOfText, "{{ $text | indent 4 }}") + "---\n" + fmt.Sprintf(configMap, "checksum", "{{ sha256sum $text }}")}
	first, second, server := beside(t, of, "host: one", "host: two")
	const key = "core/ConfigMap/tides/checksum"
	if first.Manifests[key] == second.Manifests[key] {
		t.Error("the checksum does not follow the text")
	}
	server.store(t, second)
	equal(t, "the next checksum", again(t, of, "host: two", server).Manifests[key], second.Manifests[key])
}

// A template that generates values generates others where it is included: a checksum of them is stored nowhere else.
func TestChecksumsOfWholeTemplates(t *testing.T) {
	of := files{
		"templates/a.yaml": fmt.Sprintf(secretOfText, "    a: {{ randAlphaNum 8 }}\n    c: {{ .Values.host }}"),
		"templates/b.yaml": fmt.Sprintf(configMap, "checksum", `{{ include (print .Template.BasePath "/a.yaml") . | sha256sum }}`),
	}
	first, second, _ := beside(t, of, "host: one", "host: two")
	equal(t, "manifests", second.Manifests, first.Manifests)
}

// A list that has another length in each rendering is that of the chart, without what other managers have on the
// cluster.
func TestListsOfAnyLength(t *testing.T) {
	of := files{"templates/a.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n" +
		"spec: {ports: [{{ range until (randInt 1 9) }}{port: {{ add 80 . }} }, {{ end }}]}\n"}
	_, _, server := beside(t, of, "", "")
	spec, _ := server.objects["Service/a"]["spec"].(map[string]any)
	spec["ports"] = []any{map[string]any{"port": 99, "protocol": "TCP"}}
	second := again(t, of, "", server)
	if text := second.Manifests["core/Service/tides/a"]; strings.Contains(text, "99") {
		t.Error(text)
	}
	equal(t, "new", second.New, []string{"core/Service/tides/a"})
}

// patch sets the values of a Secret, or the fields of another object's data, as kubectl does.
func (s *stub) patch(key string, values map[string]string) {
	data, _ := s.objects[key]["data"].(map[string]any)
	for name, value := range values {
		if strings.HasPrefix(key, "Secret/") {
			value = base64.StdEncoding.EncodeToString([]byte(value))
		}
		data[name] = value
	}
}

// A value that is changed in a Secret stays there, whatever the names of the objects that follow it.
func TestChangedValuesStay(t *testing.T) {
	of := files{"templates/a.yaml": `{{ $password := randAlphaNum 20 }}{{ $ca := genCA "ca" 9 -}}
apiVersion: v1
kind: Secret
metadata: {name: db}
stringData: {aurl: "postgres://a:{{ $password }}@db", password: {{ $password }}, ca.crt: {{ $ca.Cert | toJson }} }
---
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {same: {{ $password }}, url: "postgres://a:{{ $password }}@db", ca.crt: {{ $ca.Cert | toJson }} }
---
apiVersion: v1
kind: Secret
metadata: {name: app}
stringData: {url: "postgres://a:{{ $password }}@db"}
---
apiVersion: v1
kind: Secret
metadata: {name: z-app}
stringData: {url: "postgres://a:{{ $password }}@db", ca.crt: {{ $ca.Cert | b64enc }} }
`}
	_, same, server := beside(t, of, "", "")
	other := request(t, files{"templates/a.yaml": fmt.Sprintf(configMap, "a", `{{ (genCA "theirs" 9).Cert | toJson }}`)}, "")
	data, _ := decode(t, render(t, other).Manifests["core/ConfigMap/tides/a"])["data"].(map[string]any)
	theirs := fmt.Sprint(data["a"])
	server.patch("Secret/db", map[string]string{"password": "new", "ca.crt": theirs})
	made := again(t, of, "", server)
	equal(t, "db", secret(t, made, "db"), map[string]string{"aurl": "postgres://a:new@db", "password": "new", "ca.crt": theirs})
	for _, name := range []string{"app", "z-app"} {
		equal(t, name, secret(t, made, name)["url"], "postgres://a:new@db")
	}
	equal(t, "ConfigMap", decode(t, made.Manifests["core/ConfigMap/tides/a"])["data"],
		map[string]any{"same": "new", "url": "postgres://a:new@db", "ca.crt": theirs})

	server.store(t, same)
	server.patch("ConfigMap/a", map[string]string{"same": "new", "url": "new"})
	equal(t, "beside another ConfigMap", again(t, of, "", server).Manifests, same.Manifests)
}

// Draws that are equal by chance are not taken for each other.
func TestEqualDraws(t *testing.T) {
	of := files{"templates/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" +
		`data: {a: "{{ randInt 0 2 }}", b: "{{ randInt 0 2 }}", c: "{{ randInt 0 2 }}", d: "x {{ randInt 0 2 }}"}`}
	_, _, server := beside(t, of, "", "")
	want := map[string]string{"a": "70", "b": "71", "c": "72", "d": "x 73"}
	server.patch("ConfigMap/a", want)
	for range 20 {
		equal(t, "data", decode(t, again(t, of, "", server).Manifests["core/ConfigMap/tides/a"])["data"], want)
	}
}

// An argument that is a generated value follows the argument before it, wherever that is.
func TestGeneratedArguments(t *testing.T) {
	of := files{"templates/a.yaml": `apiVersion: v1
kind: Pod
metadata: {name: a}
spec: {containers: [{name: a, args: [{{ range .Values.args }}{{ . }}, {{ end }}--password, {{ randAlphaNum 8 }}, {{ .Values.last }}, --token={{ uuidv4 }}]}]}
`}
	argsOf := func(made *chart.Rendering) []any {
		spec, _ := decode(t, made.Manifests["core/Pod/tides/a"])["spec"].(map[string]any)
		containers, _ := spec["containers"].([]any)
		container, _ := containers[0].(map[string]any)
		args, _ := container["args"].([]any)
		return args
	}
	first, second, server := beside(t, of, "last: --last", "{last: --last, args: [--port=80, --verbose]}")
	was := argsOf(first)
	equal(t, "inserted", argsOf(second), append([]any{"--port=80", "--verbose"}, was...))
	server.store(t, second)
	equal(t, "removed", argsOf(again(t, of, "last: --last", server)), was)
	server.store(t, first)
	equal(t, "replaced", argsOf(again(t, of, "last: --other", server)), []any{was[0], was[1], "--other", was[3]})
}
