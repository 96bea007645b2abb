package story

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Conflicts returns the fields of the API server's 409.
func Conflicts(err error) []string {
	fields := []string{}
	for _, cause := range causes(err) {
		fields = append(fields, strings.TrimPrefix(cause.Field, "."))
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

func causes(err error) []metav1.StatusCause {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil {
		return nil
	}
	return slices.DeleteFunc(status.Status().Details.Causes, func(cause metav1.StatusCause) bool {
		return cause.Type != metav1.CauseTypeFieldManagerConflict
	})
}

// WarningAgrees compares the conflicts in the last plan's warning about an object with those of the API server's 409.
// The plans of a provider in its own process are not recorded.
func (s *Story) WarningAgrees(sent string, refused error) error {
	warnings, recorded := s.Provider.LastPlan()
	if !recorded {
		return nil
	}
	object := s.Parse(sent)
	about := regexp.MustCompile(fmt.Sprintf(`^[^:]+: %s (\S+/)?%s \(%s\)$`,
		object.GetKind(), regexp.QuoteMeta(object.GetName()), regexp.QuoteMeta(object.GetAPIVersion())))
	want, got := []string{}, []string{}
	for _, cause := range causes(refused) {
		want = append(want, strings.TrimPrefix(cause.Field, ".")+": "+cause.Message)
	}
	for _, warning := range warnings {
		summary, detail, _ := strings.Cut(warning, "\n")
		if !about.MatchString(summary) {
			continue
		}
		for _, line := range conflictLine.FindAllStringSubmatch(detail, -1) {
			for _, manager := range strings.Split(aside.ReplaceAllString(line[2], ""), " and ") {
				got = append(got, line[1]+": conflict with "+manager)
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("conflicts (-server's 409 +warning):\n%s", diff)
	}
	return nil
}

// conflictLine matches the line of a conflict: a field, both values, and its owners.
var conflictLine = regexp.MustCompile(`(?m)^  (\S.*): "(?:[^"\\]|\\.)*" -> "(?:[^"\\]|\\.)*", owned by (.*)$`)

// aside matches what a warning adds about a manager, in parentheses.
var aside = regexp.MustCompile(` \([^()]*\)`)
