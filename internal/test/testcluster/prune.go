package testcluster

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// keepUnused is how long the cache keeps executables that nobody starts. A set of Kubernetes servers is
// 360 MB, and every version, pin and toolchain has its own.
const keepUnused = 30 * 24 * time.Hour

// markUsed records that a complete cache directory is used now.
func markUsed(dir string) error {
	now := time.Now()
	if err := os.Chtimes(filepath.Join(dir, completeFile), now, now); err != nil {
		return fmt.Errorf("mark servers as used: %w", err)
	}
	return nil
}

// prune removes the complete cache directories that were last used before a time.
func prune(cache string, before time.Time) error {
	complete, err := filepath.Glob(filepath.Join(cache, "*", completeFile))
	if err != nil {
		return err
	}
	var failures []error
	for _, file := range complete {
		info, err := os.Stat(file)
		if err != nil || !info.ModTime().Before(before) {
			continue // Another process was faster, or somebody uses it.
		}
		dir := filepath.Dir(file)
		// The mark is removed first, so that a directory whose removal fails halfway does not count as complete.
		failures = append(failures, os.Remove(file), os.RemoveAll(dir), os.RemoveAll(dir+".lock"))
	}
	return errors.Join(failures...)
}
