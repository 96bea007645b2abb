package statuses

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// The API server answers 500 without a reason where values do not fit the schema. It names all of them, in any order.
var (
	unfits = regexp.MustCompile(
		`failed to (?:create typed (patch|live) object|convert new object) \([^)]*\)(?: to smd typed)?: ` +
			`(?:errors:\s+)?\.(.+?): (.*)`,
	)
	// alsoUnfits matches the lines of the other values. Lines of a value that the message quotes do not match it.
	alsoUnfits = regexp.MustCompile(
		`(?m)^  \.(.+?): (expected (?:map|list|string|numeric|boolean)\b.*|field not declared in schema)$`)
	// unreadables matches messages that name no field.
	unreadables = regexp.MustCompile(
		`failed to convert new object \([^)]*\) to proper version: ` +
			`unable to convert unstructured object to [^:]*: (.*)`)
	// values marks where a problem quotes a value in Go syntax.
	values = strings.NewReplacer("got &{map[", "got a map\x00", "got &{[", "got a list\x00", ", got &", "\x00")
)

// SchemaMismatchOf returns the field of an answer that does not fit the schema; nil if the answer is about something
// else.
func SchemaMismatchOf(status metav1.Status) *cluster.SchemaMismatchError {
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
	all := []cluster.FieldProblem{{Field: found[2], Problem: withoutValue(found[3])}}
	for _, more := range alsoUnfits.FindAllStringSubmatch(status.Message, -1) {
		problem := cluster.FieldProblem{Field: more[1], Problem: withoutValue(more[2])}
		if !slices.Contains(all, problem) {
			all = append(all, problem)
		}
	}
	slices.SortFunc(all, func(a, b cluster.FieldProblem) int { return cmp.Compare(a.Field, b.Field) })
	mismatch := &cluster.SchemaMismatchError{Field: all[0].Field, Problem: all[0].Problem, Of: cluster.MismatchInObject}
	if len(all) > 1 {
		mismatch.More = all[1:]
	}
	if found[1] == "patch" {
		mismatch.Of = cluster.MismatchInManifest
	}
	return mismatch
}

// withoutValue returns a problem without the value that it quotes in Go syntax.
func withoutValue(problem string) string {
	problem, _, _ = strings.Cut(values.Replace(problem), "\x00")
	return problem
}

// IsTooLarge reports whether an answer means that the object is too large: for etcd, for the client of etcd,
// or for the API server, which alone has a reason for it.
func IsTooLarge(status metav1.Status) bool {
	return status.Reason == metav1.StatusReasonRequestEntityTooLarge ||
		strings.Contains(status.Message, "etcdserver: request is too large") ||
		strings.Contains(status.Message, "trying to send message larger than max")
}

// The API server answers 500 without a reason if it cannot convert an object to the version of an entry of
// managedFields.
var (
	// unknownVersion is about a version that the CustomResourceDefinition does not have.
	unknownVersion = regexp.MustCompile(`request to convert CR to an invalid group/version: (\S+)`)
	// unfitVersion is about a version whose schema does not fit the object. Without words about a version, it is that
	// of any entry.
	unfitVersion = regexp.MustCompile(
		`^(?:failed .*?(?:at version (\S+)|to (last applied) version|object): )?` +
			`(\.\S.*?: (?:field not declared in schema|expected|duplicate entries).*)`)
)

// UnconvertibleOf returns the version to which the server cannot convert the object, and its reason; nil if the answer
// is about something else.
func UnconvertibleOf(status metav1.Status) *cluster.UnconvertibleError {
	if status.Code != http.StatusInternalServerError {
		return nil
	}
	if found := unknownVersion.FindStringSubmatch(status.Message); found != nil {
		return &cluster.UnconvertibleError{Version: found[1], Problem: found[0]}
	}
	found := unfitVersion.FindStringSubmatch(status.Message)
	if found == nil {
		return nil
	}
	problem, _, _ := strings.Cut(values.Replace(found[3]), "\x00")
	return &cluster.UnconvertibleError{Version: found[1], IsOwn: found[2] != "", Problem: problem}
}
