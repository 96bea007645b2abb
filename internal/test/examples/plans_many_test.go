package examples_test

import (
	"path/filepath"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// planManyManifests edits one line of a file with several objects.
func planManyManifests(e *example) {
	e.apply(deployment("tides/tides"))
	file := filepath.Join(e.Dir, "manifests.yaml")
	write(e.T, file, strings.Replace(pages.Read(e.T, file), "log.level: info\n", "log.level: debug\n", 1))
	e.showsBody("many-manifests", story.Changes)
	e.apply()
	e.plan(story.Nothing)
	if level := e.Live("v1 ConfigMap tides/settings").Object["data"].(map[string]any)["log.level"]; level != "debug" {
		e.T.Errorf("the level is %v", level)
	}
}
