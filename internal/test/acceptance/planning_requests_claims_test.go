package acceptance_test

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	getConfig   = "get configmaps NS/web 200"
	dryRun      = "patch configmaps NS/web dry-run 200"
	patchConfig = "patch configmaps NS/web 200"
)

// Claims that move cost the same requests as a release: a read and a write of managedFields before the apply,
// or a write after it.
func TestRequestsOfMovedClaims(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	write := func(arguments ...string) { w.Configure(s.Manifest("test", story.ConfigMap, arguments...)) }
	write()
	w.Do("apply", "-auto-approve")

	write(`field_manager = "platform"`)
	w.ExpectCost("plan of a renaming", []string{getConfig, dryRun}, "plan", "-out=plan")
	w.ExpectCost("renaming", []string{dryRun, getConfig, patchConfig, patchConfig}, "apply", "plan")
	w.ExpectCost("plan without changes after a renaming", []string{getConfig}, "plan", "-detailed-exitcode")

	s.As("tuner").Apply(strings.Replace(story.ConfigMap, "{colour: red}", "{colour: red, size: large}", 1))
	w.ExpectCost("plan beside another owner", []string{getConfig}, "plan", "-detailed-exitcode")
	write(`field_manager = "platform"`, `ignore_managers = ["tuner"]`)
	w.ExpectCost("plan of ignoring a manager", []string{getConfig, dryRun}, "plan", "-out=plan")
	w.ExpectCost("ignoring a manager", []string{dryRun, getConfig, patchConfig, patchConfig}, "apply", "plan")
	w.ExpectCost("plan without changes beside an ignored manager", []string{getConfig}, "plan", "-detailed-exitcode")

	write(`field_manager = "platform"`, `ignore_managers = ["tuner"]`, `on_conflict = "fail"`)
	w.ExpectCost("plan of a setting that the object does not need", []string{getConfig}, "plan", "-out=plan")
	w.ExpectCost("recording it", []string{}, "apply", "plan")
}

// Taking over costs one write after the apply, once.
func TestRequestsOfATakeOver(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	s.As("kubectl-create").Create(story.ConfigMap)
	block := s.ImportBlock("apiVersion=v1,kind=ConfigMap,namespace=NS,name=web")
	w.Configure(block, s.Manifest("test", story.ConfigMap))
	w.Do("plan", "-out=plan")
	w.ExpectCost("taking over", []string{dryRun, patchConfig, patchConfig}, "apply", "plan")
	w.ExpectCost("plan without changes after a take-over", []string{getConfig}, "plan", "-detailed-exitcode")
}
