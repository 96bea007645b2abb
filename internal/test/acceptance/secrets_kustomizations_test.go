package acceptance_test

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// No value of a Secret of a kustomization is anywhere but in secret_manifests, also if it changes, if kustomize itself logs it, and
// if the build fails.
func TestKustomizationsLeakNothing(t *testing.T) {
	s := story.New(t)
	w := newPlantedWorkspace(s)
	w.resources(`data "k8sconnect_kustomize" "buoy" {
  path = "${path.module}/buoy"
}
resource "k8sconnect_manifests" "buoy" {
  manifests        = data.k8sconnect_kustomize.buoy.manifests
  secret_manifests = data.k8sconnect_kustomize.buoy.secret_manifests
}
output "seen" {
  value = data.k8sconnect_kustomize.buoy.manifests
}
`)
	files := map[string]string{"login.env": "token=" + inStringData + "\n", "login.key": inConfigMap + "\n"}
	files["app.yaml"] = s.Expand(secret("stringData: {password: "+byOthers+"}\n") +
		"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, annotations: {of: $(LOGIN)}}\n")
	write := func(literal string) {
		files["kustomization.yaml"] = s.Expand("namespace: NS\nresources: [app.yaml]\nsecretGenerator: [{name: login, envs: [login.env], files: [login.key], " +
			"literals: [" + literal + "]}]\n" +
			// kustomize writes a value that is no scalar to its log.
			"vars: [{name: LOGIN, objref: {apiVersion: v1, kind: Secret, name: credentials}, fieldref: {fieldpath: stringData}}]\n")
		writeFolder(w.Workspace, "buoy", files)
	}
	run := func(args ...string) {
		t.Helper()
		w.plan(inPart, args...)
		w.apply(inPart)
	}
	write("password=" + inData)
	run()
	if out := w.plan(inPart); !strings.Contains(out, "No changes.") {
		t.Errorf("a plan after the apply:\n%s", out)
	}
	write("password=" + inMember)
	run()
	write(inMember)
	if out, err := w.look(inPart, "plan"); err == nil || !strings.Contains(out, "Invalid Kustomization") {
		t.Errorf("a literal without a key: %v\n%s", err, out)
	}
	write("password=" + inMember)
	run("-destroy")
}
