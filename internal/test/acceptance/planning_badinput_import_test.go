package acceptance_test

import (
	"fmt"
	"testing"
)

// badID returns an import block with this ID, and the resource that it imports to.
func badID(name, id string) badInput {
	return badInput{name: name, mentioned: "The import ID " + id + " cannot", block: fmt.Sprintf("import {\n  to = k8sconnect_manifest.NAME\n  id = %q\n}\n"+
		"resource \"k8sconnect_manifest\" \"NAME\" {\n  yaml_body = file(\"bad-NAME.yaml\")\n}\n", id)}
}

// badIDs name no object, or one that cannot be read.
var badIDs = []badInput{
	badID("id a name", "web"),
	badID("id of kubectl", "deployment/web"),
	badID("id of another provider", "apiVersion=v1,kind=ConfigMap,namespace=default"),
	badID("id of a path", "/api/v1/namespaces/default/configmaps/web"),
	badID("id without apiVersion", "kind=ConfigMap,namespace=NS,name=web"),
	badID("id without a kind", "apiVersion=v1,namespace=NS,name=web"),
	badID("id with an empty name", "apiVersion=v1,kind=ConfigMap,name="),
	badID("id with two kinds", "apiVersion=v1,kind=ConfigMap,kind=Secret,name=web"),
	badID("id with spaces", "apiVersion=v1, kind=ConfigMap, name=web"),
	badID("id with an unknown key", "apiVersion=v1,kind=ConfigMap,cluster=prod,name=web"),
	badID("id with a bad version", "apiVersion=a/b/c,kind=ConfigMap,name=web"),
	badID("id with a slash in the name", "apiVersion=v1,kind=ConfigMap,namespace=NS,name=../secrets/web"),
	mentioning("ConfigMap NS/absent (v1)", badID("id of an absent object", "apiVersion=v1,kind=ConfigMap,namespace=NS,name=absent")),
	mentioning("ConfigMop NS/web (v1)", badID("id of an absent kind", "apiVersion=v1,kind=ConfigMop,namespace=NS,name=web")),
	mentioning("Namespace NS/NS (v1)", badID("id with a namespace too many", "apiVersion=v1,kind=Namespace,namespace=NS,name=NS")),
}

func mentioning(text string, input badInput) badInput {
	input.mentioned = text
	return input
}

// Every bad import ID is refused, at the resource that it was to be imported to.
func TestBadInputImports(t *testing.T) {
	w := newBadInputStory(t).HostedWorkspace()
	writeInputs(w, badIDs)
	expectSaid(w, "imports", badIDs, "plan")
}
