package unready

import (
	"fmt"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// explained returns what pods and events show about an object that is not ready. run are the commands that show more.
func explained(e waiting.Explanation, run []string) string {
	var causes []string
	for _, cause := range e.Causes {
		causes = append(causes, indented(caused(cause)))
	}
	var events []string
	for _, event := range e.Events {
		events = append(events, indented(event.Text))
	}
	return diagnostics.Paragraphs(
		diagnostics.Given(diagnostics.Lines(causes), "Its new pods say:\n"+diagnostics.Lines(causes)),
		diagnostics.Given(diagnostics.Lines(events), "The newest warnings about it:\n"+diagnostics.Lines(events)),
		logged(e.Log),
		diagnostics.Given(diagnostics.Lines(run), "More is not shown here, because it may hold secrets. To see it, "+
			"run:\n"+diagnostics.Lines(run)),
		strings.Join(e.Hidden, "\n"),
	)
}

// indented returns an entry of a list, with its other lines below its first one.
func indented(text string) string { return strings.ReplaceAll(text, "\n", "\n    ") }

// caused returns why a pod is not ready.
func caused(cause readiness.Cause) string {
	text := "pod " + cause.Pod
	if cause.Container != "" {
		text += ", container " + cause.Container
	}
	text += ": " + cause.Reason
	if cause.ExitCode != nil {
		text += fmt.Sprintf(" (last exit code %d)", *cause.ExitCode)
	}
	if cause.Message != "" {
		text += ": " + cause.Message
	}
	return readiness.Wrap(text)
}

// commands returns the command lines that show what an explanation leaves out.
func commands(of manifest.Identity, e waiting.Explanation) []string {
	var all []string
	in := ""
	if of.Namespace != "" {
		in = " -n " + of.Namespace
	}
	add := func(command string) {
		if !slices.Contains(all, command) {
			all = append(all, command)
		}
	}
	for _, cause := range e.Causes {
		if cause.Withheld {
			add("kubectl describe pod/" + cause.Pod + in)
		}
	}
	for _, event := range e.Events {
		if event.Withheld {
			add(event.Of.Kubectl("describe"))
		}
	}
	for _, cause := range e.Causes {
		logged := e.Log != nil && e.Log.Pod == cause.Pod && e.Log.Container == cause.Container
		switch {
		case logged:
		case cause.Output == readiness.PresentRun:
			add("kubectl logs " + cause.Pod + in + " -c " + cause.Container)
		case cause.Output == readiness.PreviousRun:
			add("kubectl logs " + cause.Pod + in + " -c " + cause.Container + " --previous")
		}
	}
	return all
}

// isOfLogs reports whether a command line prints a log.
func isOfLogs(command string) bool { return strings.HasPrefix(command, "kubectl logs") }

// isOfPod reports whether a command line is about a pod.
func isOfPod(command string) bool {
	return isOfLogs(command) || strings.HasPrefix(command, "kubectl describe pod/")
}

// logged returns the end of a log.
func logged(log *waiting.Log) string {
	if log == nil {
		return ""
	}
	of := fmt.Sprintf("container %s in pod %s", log.Container, log.Pod)
	if log.Previous {
		of += " (previous run)"
	}
	if len(log.Lines) == 0 {
		return "The log of " + of + " is empty."
	}
	return "The end of the log of " + of + ", without the secret values that the provider knows. A log may hold " +
		"others:\n" + diagnostics.Lines(log.Lines)
}
