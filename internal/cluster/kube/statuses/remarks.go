package statuses

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
)

// frames are the words with which the API server introduces what others say. The first group is the name of who says
// it, the second one is what is said.
var frames = []struct {
	pattern *regexp.Regexp
	toSee   string
}{
	{
		regexp.MustCompile(`(?s)ValidatingAdmissionPolicy '([^']*)'(?: with binding '[^']*')? denied request: (.+)`),
		lookAtPolicy,
	},
	{regexp.MustCompile(`(?s)\bpolicy '([^']*)' with binding '[^']*' denied request: (.+)`), lookAtMutatingPolicy},
	{regexp.MustCompile(`(?s)\bpolicy "([^"]*)" denied request: (.+)`), lookAtMutatingPolicy},
	{regexp.MustCompile(`(?s)admission webhook "([^"]*)" denied the request: (.+)`), ""},
	{regexp.MustCompile(`(?s)failed calling webhook "([^"]*)": (.*an error on the server \(.+)`), ""},
	{regexp.MustCompile(`(?s)conversion webhook for (.+?) failed: (.+)`), ""},
}

const (
	repeat               = "make the same change with kubectl, or run "
	lookAtPolicy         = repeat + "kubectl get validatingadmissionpolicy NAME -o yaml"
	lookAtMutatingPolicy = repeat + "kubectl get mutatingadmissionpolicy NAME -o yaml"
)

// Remarks returns what others than the API server wrote into an answer. custom is true if a CustomResourceDefinition or
// another server defines the kind of the object. An answer in unknown words is a remark as a whole.
func Remarks(status metav1.Status, custom bool) []cluster.Remark {
	var causes []metav1.StatusCause
	if status.Details != nil {
		causes = status.Details.Causes
	}
	for _, frame := range frames {
		if found := frame.pattern.FindStringSubmatch(status.Message); found != nil {
			said := cluster.Remark{Text: found[2], ToSee: strings.ReplaceAll(frame.toSee, "NAME", found[1])}
			return append([]cluster.Remark{said}, otherCauses(causes, said)...)
		}
	}
	switch status.Reason {
	case metav1.StatusReasonInvalid:
		return ofCauses(causes, status.Message, custom)
	case metav1.StatusReasonForbidden:
		if refusals.Passing(status.Message, "") != nil ||
			slices.ContainsFunc(ownWords, func(words string) bool { return strings.Contains(status.Message, words) }) {
			return nil
		}
		return []cluster.Remark{{Text: status.Message}}
	default:
		if custom && status.Code == http.StatusInternalServerError {
			return []cluster.Remark{{Text: status.Message}}
		}
		return nil
	}
}

// otherCauses returns the causes of an answer that do not repeat what a policy or webhook said: a webhook can write
// causes of its own.
func otherCauses(causes []metav1.StatusCause, said cluster.Remark) []cluster.Remark {
	var remarks []cluster.Remark
	for _, cause := range causes {
		for _, text := range []string{cause.Message, cause.Field} {
			if text != "" && !strings.Contains(text, said.Text) {
				remarks = append(remarks, cluster.Remark{Text: text, ToSee: said.ToSee})
			}
		}
	}
	return remarks
}

// ownWords are in messages that the API server alone writes when it forbids something.
var ownWords = []string{`User "`, "exceeded quota", "violates PodSecurity", "because it is being terminated"}

// ofCauses returns the remarks of an object that validation refuses. Rules of a CustomResourceDefinition have messages
// of their own, and nothing tells them from the server's.
func ofCauses(causes []metav1.StatusCause, message string, custom bool) []cluster.Remark {
	var remarks []cluster.Remark
	fields := false
	for _, cause := range causes {
		fields = fields || cause.Field != ""
		if custom && cause.Field != patched && cause.Message != "" {
			remarks = append(remarks, cluster.Remark{Text: cause.Message})
		}
	}
	if !fields && !custom {
		return []cluster.Remark{{Text: message}}
	}
	return remarks
}

var (
	// policyWarning is how the API server introduces the warning of a policy.
	policyWarning = regexp.MustCompile(
		`(?s)^Validation failed for ValidatingAdmissionPolicy '([^']*)'(?: with binding '[^']*')?: (.+)$`)
	// ownWarning matches warnings of the API server about an API.
	ownWarning = regexp.MustCompile(`^\S+ \S+ is deprecated in v`)
)

// WarningRemarks returns what others than the API server wrote into a warning. The warnings of a webhook do not name
// it.
func WarningRemarks(warning string) []cluster.Remark {
	if found := policyWarning.FindStringSubmatch(warning); found != nil {
		return []cluster.Remark{{Text: found[2], ToSee: strings.ReplaceAll(lookAtPolicy, "NAME", found[1])}}
	}
	if ownWarning.MatchString(warning) {
		return nil
	}
	return []cluster.Remark{{Text: warning}}
}

// Replace returns a string with what show makes of each remark.
func Replace(text string, remarks []cluster.Remark, show func(cluster.Remark) string) string {
	for _, remark := range remarks {
		if strings.Contains(text, remark.Text) {
			text = strings.ReplaceAll(text, remark.Text, show(remark))
		}
	}
	return text
}
