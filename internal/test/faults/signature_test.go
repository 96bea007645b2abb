package faults_test

import (
	"net/http"
	"path"
	"strings"
)

// signature is a request in the words of the matrix: "get", "dry-run apply", "patch" for instance. One
// operation on one object sends the same ones in the same order each time.
type signature string

const watching signature = "watch"

// discovering are the requests of discovery.
var discovering = []signature{"get /api", "get /apis"}

// signatureOf tells what a request asks for.
func signatureOf(r *http.Request) signature {
	query := r.URL.Query()
	switch {
	case query.Get("watch") != "":
		return watching
	case !strings.Contains(r.URL.Path, "/namespaces/"):
		return signature(strings.ToLower(r.Method) + " " + r.URL.Path)
	case r.Method != http.MethodPatch:
		return signature(strings.ToLower(r.Method))
	case query.Get("dryRun") != "":
		return "dry-run"
	case r.Header.Get("Content-Type") != "application/apply-patch+yaml":
		return "patch"
	default:
		return "apply"
	}
}

// objectOf returns the name of the object that a request is about, "" for discovery. A watch has it in its
// field selector.
func objectOf(r *http.Request) string {
	if selected, ok := strings.CutPrefix(r.URL.Query().Get("fieldSelector"), "metadata.name="); ok {
		return selected
	}
	if !strings.Contains(r.URL.Path, "/namespaces/") {
		return ""
	}
	return path.Base(r.URL.Path)
}
