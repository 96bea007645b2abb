package statuses

import (
	"net/http"
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

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

// UnconvertibleOf returns what an answer says of a version to which the server cannot convert the object; nil if the
// answer is about something else.
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
