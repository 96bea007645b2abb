package waiting

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
)

const (
	// MostLogLines is how many lines of a log an explanation has at most.
	MostLogLines = 100
	// longestLogLine is how many characters a line of a log has at most.
	longestLogLine = 300
)

// Log is the end of the output of a container.
type Log struct {
	Pod, Container string
	// Previous is true for the run before the present one.
	Previous bool
	Lines    []string
}

// readLog reads the end of the log of the first cause that has one. Secret values of the object are not in it.
func (e *Explanation) readLog(ctx context.Context, api cluster.Interface, of manifest.Identity, lines int) {
	at := slices.IndexFunc(e.Causes, func(c readiness.Cause) bool { return c.Output != readiness.NoOutput })
	if at < 0 {
		return
	}
	cause := e.Causes[at]
	log := &Log{Pod: cause.Pod, Container: cause.Container, Previous: cause.Output == readiness.PreviousRun}
	query := cluster.LogQuery{
		Namespace: of.Namespace, Pod: cause.Pod, Container: cause.Container, Previous: log.Previous,
		Lines: min(lines, MostLogLines),
	}
	text, err := api.Logs(ctx, query)
	if err != nil {
		e.Hidden = append(e.Hidden, "The log of pod "+cause.Pod+" could not be read: "+err.Error())
		return
	}
	toSee := "run " + query.Kubectl()
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		log.Lines = append(log.Lines, cluster.Show(ctx, of, cluster.Remark{Text: printable(line), ToSee: toSee}))
	}
	e.Log = log
}

// escapes are the sequences that colour a terminal or move its cursor.
var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

// printable returns a line without what a terminal would not print, and without its end if it is long.
func printable(line string) string {
	line = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f || r == '\uFFFD' {
			return -1
		}
		return r
	}, escapes.ReplaceAllString(line, ""))
	if all := []rune(line); len(all) > longestLogLine {
		return string(all[:longestLogLine]) + "..."
	}
	return line
}
