package manifestresource_test

import (
	"strings"
	"testing"
)

const (
	getConfig   = "get configmaps NS/web 200"
	rehearse    = "patch configmaps NS/web dry-run 200"
	patchConfig = "patch configmaps NS/web 200"
)

// Claims that move cost what is said of a release: a read and a write of managedFields before the apply,
// or a write after it.
func TestRequestsOfMovedClaims(t *testing.T) {
	s := newStory(t)
	w := s.workspace()
	write := func(arguments ...string) { w.configure(s.manifest("test", configMap, arguments...)) }
	write()
	w.do("apply", "-auto-approve")

	write(`field_manager = "platform"`)
	w.expectCost("plan of a renaming", []string{getConfig, rehearse}, "plan", "-out=plan")
	w.expectCost("renaming", []string{rehearse, getConfig, patchConfig, patchConfig}, "apply", "plan")
	w.expectCost("plan without changes after a renaming", []string{getConfig}, "plan", "-detailed-exitcode")

	s.as("tuner").apply(strings.Replace(configMap, "{colour: red}", "{colour: red, size: large}", 1))
	w.expectCost("plan beside another owner", []string{getConfig}, "plan", "-detailed-exitcode")
	write(`field_manager = "platform"`, `ignore_managers = ["tuner"]`)
	w.expectCost("plan of ignoring a manager", []string{getConfig, rehearse}, "plan", "-out=plan")
	w.expectCost("ignoring a manager", []string{rehearse, getConfig, patchConfig, patchConfig}, "apply", "plan")
	w.expectCost("plan without changes beside an ignored manager", []string{getConfig}, "plan", "-detailed-exitcode")

	write(`field_manager = "platform"`, `ignore_managers = ["tuner"]`, `on_conflict = "fail"`)
	w.expectCost("plan of a setting that the object does not need", []string{getConfig}, "plan", "-out=plan")
	w.expectCost("recording it", []string{}, "apply", "plan")
}

// Taking over costs one write after the apply, once.
func TestRequestsOfATakeOver(t *testing.T) {
	s := newStory(t)
	w := s.workspace()
	s.as("kubectl-create").create(configMap)
	block := s.importBlock("apiVersion=v1,kind=ConfigMap,namespace=NS,name=web")
	w.configure(block, s.manifest("test", configMap))
	w.do("plan", "-out=plan")
	w.expectCost("taking over", []string{rehearse, patchConfig, patchConfig}, "apply", "plan")
	w.expectCost("plan without changes after a take-over", []string{getConfig}, "plan", "-detailed-exitcode")
}
