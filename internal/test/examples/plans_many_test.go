package examples_test

import (
	"path/filepath"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// planSets changes an object of a set, after an autoscaler has changed it, too.
func planSets(e *example) {
	e.apply(deployment("buoys/reader"))
	e.plan(story.Nothing)
	e.As("kubectl").Scale(deployment("buoys/reader"), 5)
	file := filepath.Join(e.Dir, "install.yaml")
	write(e.T, file, strings.Replace(pages.Read(e.T, file), "buoys/reader:1", "buoys/reader:2", 1))
	e.showsBody("sets", story.Changes)
	e.apply(deployment("buoys/reader"))
	e.plan(story.Nothing)
}

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
