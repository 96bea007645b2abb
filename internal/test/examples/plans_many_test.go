package examples_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// planManyManifests edits one line of a file with several objects.
func planManyManifests(t *testing.T, cli cli) {
	s := newStory(t, cli, "many-manifests")
	settings := target{"configmaps.v1.", "tides", "settings"}
	s.apply(target{"deployments.v1.apps", "tides", "tides"})
	file := filepath.Join(s.dir, "manifests.yaml")
	write(t, file, strings.Replace(read(t, file), "log.level: info\n", "log.level: debug\n", 1))
	s.showsBody("many-manifests", changes)
	s.apply()
	s.plan(nothing)
	if level := settings.live(t).Object["data"].(map[string]any)["log.level"]; level != "debug" {
		t.Errorf("the level is %v", level)
	}
}
