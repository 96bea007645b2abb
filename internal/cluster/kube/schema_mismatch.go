package kube

import (
	"net/http"
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// The API server answers 500 without a reason where the value of a field does not fit the schema, and names
// one such field, any of them.
var (
	unfits = regexp.MustCompile(
		`failed to (?:create typed (patch|live) object|convert new object) \([^)]*\)(?: to smd typed)?: (?:errors:\s+)?\.(.+?): (.*)`)
	// unreadables matches messages that name no field.
	unreadables = regexp.MustCompile(
		`failed to convert new object \([^)]*\) to proper version: unable to convert unstructured object to [^:]*: (.*)`)
	// values marks where a problem quotes a value in Go syntax.
	values = strings.NewReplacer("got &{map[", "got a map\x00", "got &{[", "got a list\x00", ", got &", "\x00")
)

// schemaMismatchOf reads the words of an answer; nil where it is about something else.
func schemaMismatchOf(status metav1.Status) *cluster.SchemaMismatchError {
	if status.Code != http.StatusInternalServerError {
		return nil
	}
	if found := unreadables.FindStringSubmatch(status.Message); found != nil {
		return &cluster.SchemaMismatchError{Problem: found[1], Of: cluster.MismatchInManifest}
	}
	found := unfits.FindStringSubmatch(status.Message)
	if found == nil {
		return nil
	}
	problem, _, _ := strings.Cut(values.Replace(found[3]), "\x00")
	mismatch := &cluster.SchemaMismatchError{Field: found[2], Problem: problem, Of: cluster.MismatchInObject}
	if found[1] == "patch" {
		mismatch.Of = cluster.MismatchInManifest
	}
	return mismatch
}

// isOfSchema reports whether the schema tells more about a mismatch than the server does.
func isOfSchema(mismatch *cluster.SchemaMismatchError) bool {
	const undeclared = "field not declared in schema"
	return mismatch.Of == cluster.MismatchInManifest && (mismatch.Field == "" || mismatch.Problem == undeclared)
}

// isTooLarge reports whether an answer means that the object is too large: for etcd, for the client of etcd,
// or for the API server, which alone has a reason for it.
func isTooLarge(status metav1.Status) bool {
	return status.Reason == metav1.StatusReasonRequestEntityTooLarge ||
		strings.Contains(status.Message, "etcdserver: request is too large") ||
		strings.Contains(status.Message, "trying to send message larger than max")
}
