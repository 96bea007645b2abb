package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// planFile is what a report needs of `terraform show -json`.
type planFile struct {
	FormatVersion string           `json:"format_version"`
	Changes       []resourceChange `json:"resource_changes"`
}

type resourceChange struct {
	Address string `json:"address"`
	Mode    string `json:"mode"`
	Type    string `json:"type"`
	Change  struct {
		Actions         []string       `json:"actions"`
		Before          map[string]any `json:"before"`
		After           map[string]any `json:"after"`
		AfterUnknown    map[string]any `json:"after_unknown"`
		BeforeSensitive any            `json:"before_sensitive"`
		AfterSensitive  any            `json:"after_sensitive"`
	} `json:"change"`
}

// warning is a warning of `terraform plan -json`.
type warning struct {
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail"`
	Address  string `json:"address"`
}

func readPlan(content []byte) (planFile, error) {
	var plan planFile
	if err := json.Unmarshal(content, &plan); err != nil {
		return plan, fmt.Errorf("the plan is not the JSON of terraform show -json: %w", err)
	}
	if plan.FormatVersion == "" {
		return plan, fmt.Errorf("the plan has no format_version: make it with terraform show -json PLANFILE")
	}
	return plan, nil
}

// readLog returns the warnings and errors of a log, each once: a refresh and a plan may say the same.
func readLog(content []byte) ([]warning, error) {
	var found []warning
	lines := bufio.NewScanner(bytes.NewReader(content))
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var line struct {
			Type       string  `json:"type"`
			Diagnostic warning `json:"diagnostic"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("line %d of the log is not JSON: make it with terraform plan -json: %w", n, err)
		}
		if line.Type == "diagnostic" && !slices.Contains(found, line.Diagnostic) {
			found = append(found, line.Diagnostic)
		}
	}
	return found, lines.Err()
}
