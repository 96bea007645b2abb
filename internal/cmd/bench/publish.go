package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// readResults reads the results of an earlier run.
func readResults(path string) (results, error) {
	var found results
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	if err != nil {
		return results{}, fmt.Errorf("read the results: %w", err)
	}
	return found, nil
}

// publish prints the results beside the last figures, and writes everything to the directory of the options.
func (r results) publish(o options) error {
	last, err := readFigures(o.last)
	if err != nil {
		return err
	}
	beside := r.figures().beside(last)
	fmt.Print(r.markdown() + "\n" + beside)
	return r.write(o.out, last)
}

// write writes the results to a directory, with the last figures of what was not measured.
func (r results) write(dir string, last figures) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	kept, err := r.figures().over(last).encode()
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"bench.md": []byte(r.markdown()), "tables.md": []byte(r.tables()), "bench.json": text, lastFile: kept,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return err
		}
	}
	all := r.series()
	for _, load := range workloads {
		distances := slices.DeleteFunc(slices.Clone(all), func(s series) bool { return s.Name != load.Name })
		if len(distances) == 0 {
			continue
		}
		if err := plotAll(filepath.Join(dir, load.Name+".svg"), distances); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "bench.md, tables.md, bench.json, %s and the plots are in %s\n", lastFile, dir)
	return nil
}
