package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// calls is how many more plans the second run of the benchmark makes.
const calls = 200

// crossed returns the product files, and their packages, of which the plan of one changed value runs code: a benchmark
// makes one plan and then calls plans more, and what ran that much more often belongs to a plan. The setup of the
// benchmark does not count.
func crossed(tree string) (files, packages map[string]bool, err error) {
	once, err := profile(tree, 1)
	if err != nil {
		return nil, nil, err
	}
	often, err := profile(tree, 1+calls)
	if err != nil {
		return nil, nil, err
	}
	files, packages = map[string]bool{}, map[string]bool{}
	for block, count := range often {
		file, _, _ := strings.Cut(block, ":")
		if count-once[block] >= calls && !strings.Contains(file, "/internal/test/") {
			files[file], packages[path.Dir(file)] = true, true
		}
	}
	return files, packages, nil
}

// profile returns how often each block of the product runs if the benchmark makes a number of plans.
func profile(tree string, plans int) (map[string]int, error) {
	folder, err := os.MkdirTemp("", "measure")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "cover")
	command := exec.Command("go", "test", "-run", "^$", "-bench", "BenchmarkCalls/plan,_a_changed_value/fastpath",
		"-benchtime", strconv.Itoa(plans)+"x", "-covermode=count", "-coverpkg=./internal/...", "-coverprofile="+file,
		"./internal/terraform/serve")
	command.Dir = tree
	if out, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	text, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	counts := map[string]int{}
	for lines := bufio.NewScanner(text); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			continue
		}
		count, err := strconv.Atoi(fields[2])
		if err != nil {
			return nil, err
		}
		counts[fields[0]] = count
	}
	return counts, nil
}
