package acceptance_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// plantedWorkspace is a workspace with distinctive values in all places that hold secrets.
type plantedWorkspace struct {
	*story.Workspace
	// stored are values that yaml_body has, which Terraform keeps; unstored are kept nowhere.
	stored, unstored map[string]string
	looked, bodies   int
}

const (
	inData, inStringData  = "planted-in-data-4711", "planted-in-string-data-4712"
	inConfigMap, inGadget = "planted-in-config-map-4713", "planted-in-gadget-4714"
	inMember, inKey       = "planted-in-member-4715", "planted-in-key-4716"
	inPart, inPartLater   = "planted-in-part-4717", "planted-in-part-4718"
	byOthers              = "planted-by-others-4719"
)

func newPlantedWorkspace(s *story.Story) *plantedWorkspace {
	s.T.Helper()
	token, _ := s.Token("deployer")
	user := s.AddUser(s.Namespace)
	w := &plantedWorkspace{Workspace: s.Workspace()}
	w.stored = map[string]string{
		"data": inData, "stringData": inStringData, "a ConfigMap": inConfigMap, "a custom resource": inGadget, "a member": inMember,
		"a key": inKey, "what others wrote": byOthers,
	}
	w.unstored = map[string]string{
		"yaml_body_wo": inPart, "yaml_body_wo, later": inPartLater, "the token": token[len(token)-40:],
		"the client's key": string(user.KeyData), "a line of the client's key": strings.Split(string(user.KeyData), "\n")[2],
	}
	for name, value := range map[string]string{"token": token, "rest": token[10:], "client_key": string(user.KeyData)} {
		w.Env = append(w.Env, "TF_VAR_"+name+"="+value)
	}
	w.Env = append(w.Env, "TF_LOG=TRACE", "TF_LOG_PATH="+w.path("trace.log"))
	plugin := s.File("plugin", []byte("#!/bin/sh\nprintf '{\"apiVersion\":\"client.authentication.k8s.io/v1\","+
		"\"kind\":\"ExecCredential\",\"status\":{\"token\":\"%s%s\"}}' \"$1\" \"$REST\"\n"), 0o700)
	host := story.Attributes("host", user.Host, "cluster_ca_certificate", string(user.CAData))
	connections := "terraform {\n  required_providers {\n    k8sconnect = { source = \"k8sconnect/k8sconnect\" }\n  }\n}\n"
	for _, name := range []string{"token", "rest", "client_key", "part"} {
		connections += fmt.Sprintf("variable %q {\n  type = string\n  ephemeral = true\n  sensitive = true\n}\n", name)
	}
	connections += story.ProviderWith(story.Cluster(host, fmt.Sprintf(
		"exec = {\napi_version = \"client.authentication.k8s.io/v1\"\ncommand = %q\nargs = [%q]\nenv = { REST = var.rest }\n}", plugin, token[:10])))
	connections += story.ProviderWith(`alias = "token"`, story.Cluster(host, "token = var.token"))
	connections += story.ProviderWith(`alias = "key"`, story.Cluster(host, story.Attributes("client_certificate", string(user.CertData)), "client_key = var.client_key"))
	w.Require(connections)
	story.Must(s.T, os.WriteFile(w.path("providers.tf"), []byte(connections), 0o600))
	return w
}

func (w *plantedWorkspace) path(name string) string { return filepath.Join(w.Dir, name) }

// object returns a resource whose yaml_body Terraform does not print.
func (w *plantedWorkspace) object(name, body string, arguments ...string) string {
	return fmt.Sprintf("resource \"k8sconnect_manifest\" %q {\n  yaml_body = sensitive(<<-YAML\n%s\nYAML\n  )\n  %s\n}\n",
		name, w.Expand(body), strings.Join(arguments, "\n  "))
}

func (w *plantedWorkspace) resources(resources ...string) {
	w.T.Helper()
	story.Must(w.T, os.WriteFile(w.path("main.tf"), []byte(strings.Join(resources, "\n")), 0o600))
}

// loggedByTheCLI are the lines in which the CLI itself logs values, as SECURITY.md says: OpenTofu the yaml_body that it got
// for none in an import, and both the attributes of a state whose type is dynamic.
var loggedByTheCLI = regexp.MustCompile(`(?m)^.*(\.yaml_body: was null, but now |UpgradeResourceState: ignoring dynamic block: ).*$`)

// look runs a command with a part, and looks for secrets in all that is left of it.
func (w *plantedWorkspace) look(part string, args ...string) (out string, failed error) {
	w.T.Helper()
	story.Must(w.T, os.RemoveAll(w.path("trace.log")))
	env := w.Env
	w.Env = slices.Concat(env, []string{"TF_VAR_part=" + part})
	defer func() { w.Env = env }()
	out, failed = w.Try(args...)
	command := strings.Join(args, " ")
	w.search(command+": output", out, w.stored, w.unstored)
	w.search(command+": log", loggedByTheCLI.ReplaceAllString(w.read("trace.log"), ""), w.stored, w.unstored)
	if w.read("trace.log") == "" {
		w.T.Errorf("%s wrote no log", command)
	}
	for _, file := range []string{"terraform.tfstate", "terraform.tfstate.backup"} {
		text := w.read(file)
		w.search(command+": "+file, text, w.unstored)
		clear := withoutBodies(w.T, text)
		w.search(command+": "+file, clear, w.stored, w.unstored)
		if strings.Contains(text, `"private"`) && !strings.Contains(clear, `"fieldsV1"`) {
			w.T.Errorf("%s: the private state in %s is not in clear:\n%s", command, file, clear)
		}
	}
	for name, text := range w.archive("tfplan") {
		w.search(command+": tfplan/"+name, text, w.unstored)
	}
	return out, failed
}

// plan looks for secrets in a plan and in its JSON.
func (w *plantedWorkspace) plan(part string, args ...string) string {
	w.T.Helper()
	out, err := w.look(part, append([]string{"plan", "-out=tfplan"}, args...)...)
	story.Must(w.T, failure(out, err))
	shown := w.Do("show", "-json", "tfplan")
	w.search("the plan's JSON", shown, w.unstored)
	w.search("the plan's JSON", withoutBodies(w.T, shown), w.stored)
	return out
}

// apply applies the plan, in which ephemeral variables are not kept.
func (w *plantedWorkspace) apply(part string) {
	w.T.Helper()
	out, err := w.look(part, "apply", "tfplan")
	story.Must(w.T, failure(out, err))
	story.Must(w.T, os.RemoveAll(w.path("tfplan")))
}

func failure(out string, err error) error {
	if err != nil {
		return fmt.Errorf("%w:\n%s", err, out)
	}
	return nil
}

func (w *plantedWorkspace) read(name string) string {
	data, err := os.ReadFile(w.path(name))
	if err != nil {
		return ""
	}
	return string(data)
}

// archive returns the files of a plan, without the log of an earlier command.
func (w *plantedWorkspace) archive(name string) map[string]string {
	w.T.Helper()
	files := map[string]string{}
	reader, err := zip.OpenReader(w.path(name))
	if err != nil {
		return nil
	}
	defer func() { _ = reader.Close() }()
	for _, file := range reader.File {
		content, err := file.Open()
		story.Must(w.T, err)
		data, err := io.ReadAll(content)
		story.Must(w.T, err)
		files[file.Name] = string(data)
	}
	return files
}

// search looks for secrets in clear, in base64 of any alignment, as JSON and as Go quote them.
func (w *plantedWorkspace) search(where, text string, secrets ...map[string]string) {
	w.T.Helper()
	w.looked++
	for _, some := range secrets {
		for name, secret := range some {
			for _, form := range encodings(secret) {
				if at := strings.Index(text, form); at >= 0 {
					w.T.Errorf("%s tells %s: ...%s", where, name, text[max(0, at-300):min(len(text), at+len(form)+60)])
					break
				}
			}
		}
	}
}

func encodings(secret string) []string {
	if len(secret) < 8 {
		return []string{secret} // The base64 of so few bytes is in any certificate.
	}
	quoted, _ := json.Marshal(secret)
	all := []string{secret, string(quoted[1 : len(quoted)-1])}
	for offset := range 3 {
		encoded := base64.StdEncoding.EncodeToString(append(bytes.Repeat([]byte{'x'}, offset), secret...))
		all = append(all, encoded[offset+1:len(encoded)-4]) // Without the characters that neighbours have a part in.
	}
	return all
}

// withoutBodies returns a JSON document without what the user wrote, and with private state in clear.
func withoutBodies(t *testing.T, document string) string {
	t.Helper()
	var value any
	if json.Unmarshal([]byte(document), &value) != nil {
		return document
	}
	text, _ := json.Marshal(strip(t, value))
	return string(text)
}

func strip(t *testing.T, value any) any {
	t.Helper()
	switch value := value.(type) {
	case map[string]any:
		for _, written := range []string{"yaml_body", "variables", "configuration", "secret_values", "secret_manifests", "secret_hooks", "hooks"} {
			delete(value, written)
		}
		for name, part := range value {
			value[name] = strip(t, part)
		}
		if text, isText := value["private"].(string); isText {
			private, err := base64.StdEncoding.DecodeString(text)
			story.Must(t, err)
			value["private"], err = story.PrivateInClear(private)
			story.Must(t, err)
		}
	case []any:
		for i := range value {
			value[i] = strip(t, value[i])
		}
	}
	return value
}

// No secret is anywhere but where the user put it, whatever happens: in the state, private state in clear,
// in plans as people and programs read them, or in logs of the CLI and of the provider.
func TestNothingLeaks(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	w := newPlantedWorkspace(s)
	values := map[string]string{"data": inData, "string": inStringData, "config": inConfigMap, "gadget": inGadget}
	settings := func(arguments ...string) []string {
		return append([]string{`sensitive_fields = ["data.password"]`, `provider = k8sconnect.token`}, arguments...)
	}
	written := func(version int, arguments ...string) []string {
		return []string{
			w.object("secret", secret("data: {password: "+encoded(values["data"])+"}\nstringData: {other: "+values["string"]+"}\n")),
			w.object("settings", passwordsWith("password: "+values["config"]+", mode: on-duty"), settings(arguments...)...),
			w.object("gadget", story.Gadget("note: "+values["gadget"]+", colours: ["+inMember+"], routes: [{host: "+inKey+", weight: 1}], size: 1"),
				`sensitive_fields = ["spec.note", "spec.colours", "spec.routes[*].host"]`, `provider = k8sconnect.key`),
			w.object("part", strings.Replace(skeleton, "credentials", "part", 1),
				fmt.Sprintf("yaml_body_wo = yamlencode({ data = { password = base64encode(var.part) } })\n  yaml_body_wo_version = %d", version)),
			w.Expand("data \"k8sconnect_field_ownership\" \"part\" {\n  api_version = \"v1\"\n  kind = \"Secret\"\n  name = \"part\"\n  namespace = \"NS\"\n" +
				"  depends_on = [k8sconnect_manifest.part]\n}\noutput \"seen\" {\n  value = data.k8sconnect_field_ownership.part\n}\n"),
		}
	}
	others := func() {
		who := s.As("kubectl-edit")
		who.Patch(credentials, fmt.Sprintf(`{"data":{"password":%q,"other":%q,"theirs":%q}}`, encoded(byOthers), encoded(byOthers), encoded(byOthers)))
		who.Patch(passwords, fmt.Sprintf(`{"data":{"password":%q}}`, byOthers))
		who.Patch(s.GadgetTarget(), fmt.Sprintf(`{"spec":{"note":%q,"colours":[%q,%q],"routes":[{"host":%q,"port":80,"weight":9}]}}`, byOthers, inMember, byOthers, inKey))
		who.Patch("v1 Secret part", fmt.Sprintf(`{"data":{"password":%q}}`, encoded(byOthers)))
	}
	run := func(part string, args ...string) string {
		out := w.plan(part, args...)
		w.apply(part)
		return out
	}

	w.resources(written(1)...)
	run(inPart)
	others()
	if out := run(inPartLater); strings.Count(out, "takes back") < 4 {
		t.Errorf("the plan tells too little of the drift:\n%s", out)
	}
	w.resources(written(2)...)
	run(inPartLater)
	for name := range values {
		values[name] += "-edited"
	}
	w.resources(written(3)...)
	run(inPart)

	others()
	w.resources(written(3, `on_conflict = "fail"`)...)
	if out, err := w.look(inPart, "plan"); err == nil || !story.Saying(`on_conflict is "fail"`).MatchString(out) {
		t.Errorf("the conflict is not refused: %v\n%s", err, out)
	}
	run(inPart, "-target=k8sconnect_manifest.secret", "-target=k8sconnect_manifest.gadget", "-target=k8sconnect_manifest.part")
	values["data"] += "!"
	w.resources(
		w.object("secret", secret("data: {password: "+values["data"]+"}\n")),
		w.object("settings", passwordsWith("password: {inner: "+values["config"]+"}"), settings()...),
		w.object("gadget", story.Gadget("note: ["+values["gadget"]+"], size: "+inMember), `sensitive_fields = ["spec"]`),
		w.object("part", strings.Replace(skeleton, "credentials", "part", 1),
			"yaml_body_wo = yamlencode({ data = { password = \"!${var.part}\" } })\n  yaml_body_wo_version = 9"),
	)
	if out, err := w.look(inPart, "plan"); err == nil || strings.Count(out, "could not be") < 4 {
		t.Errorf("the values are not refused: %v\n%s", err, out)
	}

	values["data"] = inData
	w.resources(written(3, `ignore_fields = ["data.password"]`)...)
	run(inPart)
	w.Do("state", "rm", "k8sconnect_manifest.secret")
	out, err := w.look(inPart, "import", "k8sconnect_manifest.secret", s.Expand("apiVersion=v1,kind=Secret,namespace=NS,name=credentials"))
	story.Must(t, failure(out, err))
	run(inPart)
	run(inPart, "-destroy")
	if w.looked < 100 {
		t.Errorf("looked into %d texts only", w.looked)
	}
	t.Logf("looked into %d texts for %d secrets", w.looked, len(w.stored)+len(w.unstored))
}

// sensitive_fields = ["*"] hides every value of an object, wherever it is, and still names its fields and the object.
func TestNothingOfAnObjectLeaks(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	w := newPlantedWorkspace(s)
	body := func(data, label string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: passwords\n  namespace: NS\n  labels: {owner: " + label + "}\n" +
			"  annotations: {example.com/note: " + inMember + "}\n  finalizers: [example.com/" + inKey + "]\ndata: {password: " + data + ", mode: " + inData + "}\n"
	}
	everything := `sensitive_fields = ["*"]`
	written := func(data, label string, arguments ...string) []string {
		return []string{
			w.object("settings", body(data, label), append(arguments, everything)...),
			w.object("gadget", story.Gadget("note: "+inGadget+", colours: ["+inMember+"], routes: [{host: "+inKey+", weight: 1}], size: 1"), everything),
		}
	}
	run := func(args ...string) string {
		out := w.plan(inPart, args...)
		w.apply(inPart)
		return out
	}

	w.resources(written(inConfigMap, inStringData)...)
	out := run()
	for _, legible := range []string{s.Expand("apiVersion=v1,kind=ConfigMap,namespace=NS,name=passwords"), `"data.password"`, `"metadata.labels.owner"`} {
		if !strings.Contains(out, legible) {
			t.Errorf("the plan does not say %s:\n%s", legible, out)
		}
	}
	if out := w.Do("show"); !regexp.MustCompile(`"data.password" += "\(sensitive, hmac-sha256:`).MatchString(out) {
		t.Errorf("data.password is not a digest:\n%s", out)
	}
	if out := w.plan(inPart); !strings.Contains(out, "No changes.") {
		t.Errorf("a plan after the apply:\n%s", out)
	}
	who := s.As("kubectl-edit")
	who.Patch(passwords, fmt.Sprintf(`{"data":{"password":%q,"theirs":%q},"metadata":{"labels":{"owner":%q}}}`, byOthers, byOthers, byOthers))
	who.Patch(s.GadgetTarget(), fmt.Sprintf(`{"spec":{"note":%q}}`, byOthers))
	if out := run(); !strings.Contains(out, "data.password: \"(sensitive, hmac-sha256:") || !strings.Contains(out, s.Expand("ConfigMap NS/passwords (v1)")) {
		t.Errorf("the plan does not tell the drift:\n%s", out)
	}
	w.resources(written(inConfigMap+"-edited", inStringData)...)
	run()
	w.resources(written("{inner: "+inConfigMap+"}", inStringData)...)
	if out, err := w.look(inPart, "plan"); err == nil || !strings.Contains(out, s.Expand("ConfigMap NS/passwords (v1) could not be planned")) {
		t.Errorf("the value is not refused: %v\n%s", err, out)
	}
	w.resources(written(inConfigMap, inStringData, `ignore_fields = ["data.password"]`)...)
	run()
	s.As("janitor").Patch(passwords, `{"metadata":{"finalizers":null}}`)
	run("-destroy")
}

// An ephemeral value may be another one in the apply than it was in the plan. What the plan shows holds all the
// same: also where the value decides whether another owner of the field stays.
func TestWriteOnlyDiffersInTheApply(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ planned, applied, owners string }{
		"the other owner stays after all": {inPart, byOthers, "k8sconnect tuner"},
		"the other owner goes after all":  {byOthers, inPart, "k8sconnect"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := newPlantedWorkspace(s)
			written := func(version int) string {
				return w.object("part", passwordsWith("mode: on-duty"),
					fmt.Sprintf("yaml_body_wo = yamlencode({ data = { password = var.part } })\n  yaml_body_wo_version = %d", version))
			}
			w.resources(written(1))
			w.plan(test.planned)
			w.apply(test.applied)
			if err := s.ExpectLive(passwords, map[string]any{"data.password": test.applied})(nil); err != nil {
				t.Error(err)
			}
			s.As("tuner").Apply(passwordsWith("password: " + byOthers))
			w.resources(written(2))
			w.plan(test.planned)
			w.apply(test.applied)
			if err := s.ExpectOwners(passwords, "data.password", strings.Fields(test.owners)...)(nil); err != nil {
				t.Error(err)
			}
			if out := w.plan(test.planned); !strings.Contains(out, "No changes.") {
				t.Errorf("a plan after the apply:\n%s", out)
			}
		})
	}
}
