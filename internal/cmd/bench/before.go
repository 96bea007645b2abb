package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// before returns this provider at a commit or a tag, built in a directory. Its name is "k8sconnect@COMMIT".
func before(ctx context.Context, dir, commit string) (contender, error) {
	top, err := exec.CommandContext(ctx, "git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return contender{}, fmt.Errorf("BENCH_BEFORE: find the repository: %w", err)
	}
	source, binary := filepath.Join(dir, "source"), filepath.Join(dir, "before", "terraform-provider-k8sconnect")
	for _, command := range [][]string{
		{"git", "clone", "--quiet", "--shared", "--no-checkout", strings.TrimSpace(string(top)), source},
		{"git", "-C", source, "checkout", "--quiet", commit},
		{"go", "build", "-C", source, "-trimpath", "-ldflags=-s -w", "-o", binary, "."},
	} {
		if out, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
			return contender{}, fmt.Errorf("BENCH_BEFORE: %s: %w\n%s", strings.Join(command, " "), err, out)
		}
	}
	return contender{Name: ours + "@" + commit, executable: binary}, nil
}
