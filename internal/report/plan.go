package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// planFile is the part of the output of `terraform show -json` that a report needs.
type planFile struct {
	FormatVersion string `json:"format_version"`
	// Errored is true if the plan failed: Terraform writes what it has planned until then.
	Errored bool             `json:"errored"`
	Changes []resourceChange `json:"resource_changes"`
	// Planned is missing in a state.
	Planned json.RawMessage `json:"planned_values"`
	// Actions are the invocations of actions.
	Actions []struct {
		Address string `json:"address"`
		Type    string `json:"type"`
	} `json:"action_invocations"`
}

type resourceChange struct {
	Address string `json:"address"`
	Deposed string `json:"deposed"`
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
	Range    struct {
		File  string `json:"filename"`
		Start struct {
			Line int `json:"line"`
		} `json:"start"`
	} `json:"range"`
}

func readPlan(content []byte) (planFile, error) {
	var plan planFile
	if err := json.Unmarshal(content, &plan); err != nil {
		return plan, fmt.Errorf("the plan is not the JSON of terraform show -json: %w", err)
	}
	if plan.FormatVersion == "" || plan.Changes == nil && plan.Planned == nil {
		return plan, errors.New("the file has no plan, but perhaps a state: make it with terraform show -json PLANFILE")
	}
	return plan, nil
}

// inLog are the actions that a log names otherwise than a plan does.
var inLog = map[string][]string{
	Replace: {Delete, Create}, "remove": {forget}, "noop": {NoOp}, "move": {NoOp}, "import": {NoOp},
}

const errorSeverity = "error"

func (w warning) isError() bool { return w.Severity == errorSeverity }

// logFile is the part of the output of `terraform plan -json` that a report needs.
type logFile struct {
	warnings []warning
	// planned are the addresses of the changes, and changes their records in the log.
	planned map[string]bool
	changes []resourceChange
	// ended is true if the plan came to its end.
	ended bool
}

// readLog returns the warnings and errors of a log, each once: a refresh and a plan may report the same.
func readLog(content []byte) (logFile, error) {
	log, known := logFile{planned: map[string]bool{}}, map[warning]bool{}
	lines := bufio.NewScanner(bytes.NewReader(content))
	// A line contains a whole warning, and the scanner ends at 64 kB by default.
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var line struct {
			Type       string  `json:"type"`
			Diagnostic warning `json:"diagnostic"`
			Change     struct {
				Resource struct {
					Address string `json:"addr"`
					Type    string `json:"resource_type"`
				} `json:"resource"`
				Action string `json:"action"`
			} `json:"change"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return log, fmt.Errorf("line %d of the log is not JSON: make it with terraform plan -json: %w", n, err)
		}
		switch line.Type {
		case "diagnostic":
			if !known[line.Diagnostic] {
				known[line.Diagnostic] = true
				log.warnings = append(log.warnings, line.Diagnostic)
			}
		case "planned_change":
			planned := resourceChange{Address: line.Change.Resource.Address, Type: line.Change.Resource.Type}
			if planned.Change.Actions = inLog[line.Change.Action]; planned.Change.Actions == nil {
				planned.Change.Actions = []string{line.Change.Action}
			}
			log.planned[planned.Address] = true
			if line.Change.Action != Read {
				log.changes = append(log.changes, planned)
			}
		case "change_summary":
			log.ended = true
		}
	}
	return log, lines.Err()
}

// failure returns a sentence about a failed plan, from the plan and its log; "" if the plan did not fail.
func (log logFile) failure(errored bool) string {
	at := slices.IndexFunc(log.warnings, warning.isError)
	switch {
	case at >= 0:
		return "The plan failed (" + log.warnings[at].Summary + "), so nobody knows what an apply would do."
	case errored:
		return "The plan failed, so nobody knows what an apply would do."
	}
	return ""
}

// IsLog reports whether a file is the output of `terraform plan -json`, and not of `terraform show -json`.
func IsLog(content []byte) bool {
	first, _, _ := bytes.Cut(bytes.TrimSpace(content), []byte("\n"))
	var line struct {
		Level string `json:"@level"`
	}
	return json.Unmarshal(first, &line) == nil && line.Level != ""
}

// lacks returns what is missing in the log of a plan with these changes; "" if nothing is. acting are the addresses of
// those that change objects.
func (log logFile) lacks(plan []resourceChange, acting []string) string {
	if len(acting)+len(log.warnings) > 0 && !log.ended {
		return "The log of the plan has no end, so it may lack warnings. Add all of the output of terraform plan -json."
	}
	for _, address := range acting {
		if !log.planned[address] {
			return "The log is that of another plan: it does not plan " + address + "."
		}
	}
	does := map[string]bool{}
	for _, change := range plan {
		does[change.Address] = does[change.Address] || !slices.Contains(change.Change.Actions, NoOp)
	}
	for _, said := range log.changes {
		isOurs := strings.HasPrefix(said.Type, "k8sconnect_") && !does[said.Address]
		if acts := []string{Create, Update, Delete}; isOurs && slices.Contains(acts, said.Change.Actions[0]) {
			return "The log is that of another plan: the plan does not change " + said.Address + "."
		}
	}
	return ""
}

// gapOf returns what a report cannot know of a resource, because the plan does not know the values that it applies; ""
// if it knows all. The warnings of a plan that knows them have all that an apply takes, also where conflicts are not
// known.
func gapOf(change resourceChange) string {
	c := change.Change
	takes := c.AfterUnknown[liveValues] == true && mapIn(c.AfterUnknown, "object_ref")["uid"] != true
	switch {
	case change.Type == setType && isUnknownSet(c.AfterUnknown) && len(c.Before) > 0:
		return "The manifests of " + change.Address + " are known only during the apply, which may delete any of its " +
			"objects."
	case change.Type == setType:
		takes = takesUnknown(change)
	case len(c.Before) == 0, actionOf(change) == Replace: // A create meets no other managers, unless it adopts.
		takes = takes && (change.Type == patchType || adopts(c.After))
	}
	if !takes {
		return ""
	}
	return "What " + change.Address + " takes from other managers is known only during the apply."
}

// adopts reports whether a resource or a rule adopts an object that exists.
func adopts(after map[string]any) bool {
	if own := after["adopt_existing"]; own != nil {
		return own == true
	}
	return mapIn(after, "rules_applied")["adopt_existing"] == true
}

// isOpen reports whether a value is not known, or a part of it.
func isOpen(unknown any) bool {
	switch unknown := unknown.(type) {
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(unknown)), isOpen)
	case []any:
		return slices.ContainsFunc(unknown, isOpen)
	}
	return unknown == true
}

// computedOfSets are the attributes of a set that do not decide what its apply does.
var computedOfSets = []string{"field_manager", "hooks_to_run", "revision", "objects", "owners_elsewhere", "drifted",
	"pending", conflicts, additions}

// takesUnknown reports whether a set applies manifests with values that are not known, or with arguments that are not,
// to objects that exist.
func takesUnknown(change resourceChange) bool {
	c := change.Change
	before := membersIn(c.Before)
	if actionOf(change) == Replace {
		before = nil
	}
	if len(before) == 0 && !adopts(c.After) {
		return false
	}
	for _, m := range membersIn(c.After) {
		if isOpenMember(c.AfterUnknown, m.key) && slices.ContainsFunc(before, m.continues) {
			return true
		}
	}
	for name, unknown := range c.AfterUnknown {
		isNew := (name == "manifests" || name == "secret_manifests") && !adopts(c.After)
		if !isNew && !slices.Contains(computedOfSets, name) && isOpen(unknown) {
			return true
		}
	}
	return false
}
