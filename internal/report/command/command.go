// Package command is the command line of the report.
package command

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/formats"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/page"
)

// The exit codes.
const (
	ok     = 0
	failed = 1
	broken = 2
)

const help = `Says what a plan takes, from whom, gives up, shares, creates and deletes.

  terraform plan -json -out=plan.bin > plan.jsonl
  terraform show -json plan.bin > plan.json
  terraform-provider-k8sconnect report plan.json plan.jsonl

The log plan.jsonl has the plan's warnings. Without it, takings from objects
that the plan adopts are not known, and the report says so. Of a plan that
failed, the log alone is enough.

Exit codes: 0 nothing is wrong, 1 the report could not be made, 2 a rule is
broken.

Flags:
`

// rules collects a flag that may be given several times.
type rules []report.Rule

func (r *rules) String() string { return "" }

func (r *rules) Set(text string) error {
	rule, err := report.ParseRule(text)
	*r = append(*r, rule)
	return err
}

// Run makes a report and returns the exit code.
func Run(args []string, stdout, stderr io.Writer) int {
	writers := map[string]formats.Write{
		"text": formats.Text, "markdown": formats.Markdown, "json": formats.JSON, "sarif": formats.SARIF,
		"html": page.HTML,
	}
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var checked rules
	names := strings.Join(slices.Sorted(maps.Keys(writers)), ", ")
	format := flags.String("format", "text", names)
	file := flags.String("rules", "", "`file` with rules, one a line")
	flags.Var(&checked, "fail-on", "`rule` that the plan must not break, EFFECT or EFFECT:PATTERN,PATTERN,\n"+
		"for example take:kube-controller-manager,*-autoscaler or delete:PersistentVolumeClaim;\n"+
		"may be given several times")
	flags.Usage = func() {
		_, _ = io.WriteString(stderr, help)
		flags.PrintDefaults()
	}
	files, err := parse(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		return ok
	}
	write, known := writers[*format]
	switch {
	case err != nil:
		return failed
	case !known:
		err = fmt.Errorf("there is no format %q: write %s", *format, names)
	case len(files) == 0 || len(files) > 2:
		err = errors.New("write the plan and, if you have it, the log: report plan.json plan.jsonl")
	}
	var failures []report.Failure
	var remarks []string
	if err == nil {
		failures, remarks, err = run(files, *file, checked, write, stdout)
	}
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "Error:", err)
		return failed
	}
	for _, remark := range remarks {
		_, _ = fmt.Fprintln(stderr, "Warning:", remark)
	}
	for _, failure := range failures {
		_, _ = fmt.Fprintf(stderr, "Rule broken: %s: %s\n", failure.Rule, failure.What)
	}
	if len(failures) > 0 {
		return broken
	}
	return ok
}

// parse returns the files; flags may follow them.
func parse(flags *flag.FlagSet, args []string) ([]string, error) {
	var files []string
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			return files, nil
		}
		files, args = append(files, flags.Arg(0)), flags.Args()[1:]
	}
}

func run(files []string, rulesFile string, checked []report.Rule, write formats.Write, stdout io.Writer) (
	failures []report.Failure, remarks []string, err error,
) {
	var plan, log []byte
	for _, file := range files {
		content, err := os.ReadFile(file) //nolint:gosec // the user names the file
		if err != nil {
			return nil, nil, err
		}
		if len(bytes.TrimSpace(content)) == 0 {
			return nil, nil, fmt.Errorf("%s is empty", file)
		}
		if report.IsLog(content) {
			log = content
		} else {
			plan = content
		}
	}
	if plan == nil && log == nil || len(files) == 2 && (plan == nil || log == nil) {
		return nil, nil, errors.New("write one plan, one log, or one of each: report plan.json plan.jsonl")
	}
	if rulesFile != "" {
		content, err := os.ReadFile(rulesFile) //nolint:gosec // the user names the file
		if err != nil {
			return nil, nil, err
		}
		more, err := report.ParseRules(string(content))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", rulesFile, err)
		}
		checked = append(checked, more...)
	}
	made, err := report.Of(plan, log)
	if err != nil {
		return nil, nil, err
	}
	failures = made.Check(checked)
	return failures, made.Unmatched(checked), write(stdout, made, failures)
}
