package worlds_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

// mostAdvice is how many pieces of advice a step may need, one after the other.
const mostAdvice = 8

// failsToAllocate is what Kubernetes 1.36 says if its dry-run of a node port that no client has chosen hits one that
// the Service has: it takes the next number after those that it has to allocate
// (pkg/registry/core/service/portallocator/operation.go).
const failsToAllocate = "duplicate nodePort: {"

// follow does what the errors of a plan advise, and plays the step again. An error without advice that a machine can
// follow breaks a promise, and so does one that comes back.
func (w *world) follow(ctx context.Context, s step, errors []string) error {
	text := strings.Join(errors, "\n\n")
	if !w.stage.plays(advice) || strings.Contains(text, failsToAllocate) {
		return nil
	}
	if w.heeded(text) || len(w.followed) == mostAdvice {
		return broke(s, "advice that was followed helps", append(slices.Clone(errors), "after "+s.configuration.String())...)
	}
	w.followed = append(w.followed, text)
	next, err := w.heed(ctx, s, errors)
	if err != nil {
		return err
	}
	if next == nil {
		return broke(s, "an error gives advice that can be followed", append(slices.Clone(errors), "with "+s.configuration.String(), "on "+w.spec(ctx))...)
	}
	if err := w.restart(ctx, next.configuration); err != nil {
		return err
	}
	next.before = nil
	return w.play(ctx, *next)
}

// heeded reports whether the advice of a text was followed, and nothing since then has said to take it back.
func (w *world) heeded(text string) bool {
	for _, followed := range slices.Backward(w.followed) {
		if followed == text || unignored.MatchString(followed) {
			return followed == text
		}
	}
	return false
}

// spec returns the spec of the object, for a finding.
func (w *world) spec(ctx context.Context) string {
	live, err := w.live(ctx)
	if err != nil || live == nil {
		return fmt.Sprint("no object ", err)
	}
	return livediff.Text(live.Object["spec"])
}

// again plays a step again that failed because of what other managers wrote in between, or of a value that was not
// known: the next plan knows both.
func (w *world) again(ctx context.Context, s step) error {
	if !w.stage.plays(advice) {
		return nil
	}
	if err := w.restart(ctx, s.configuration); err != nil {
		return err
	}
	s.before, s.between, s.configuration.form.hides = nil, nil, false
	return w.play(ctx, s)
}

// advised is something that an error advises. do returns the step to play instead, nil if it cannot be done.
type advised struct {
	says *regexp.Regexp
	do   func(ctx context.Context, w *world, s step, text string) (*step, error)
}

var allAdvice = []advised{
	{regexp.MustCompile(`(?m)^ +take_over_managers = \[`), takeOver},
	{regexp.MustCompile(`(?m)^ +kubectl (patch|annotate|label) `), runKubectl},
	{regexp.MustCompile(`(?m)^ +(terraform (plan|apply) )?-target`), target},
	{regexp.MustCompile(`terraform apply -replace`), replace},
	{regexp.MustCompile(`give (this one|these) its key back`), rename},
	{regexp.MustCompile(`Change (it|them) on the object, so that`), editAway},
	{regexp.MustCompile(`Remove the paths that no longer fit from pin_fields`), unpin},
	{unignored, unignore},
	{regexp.MustCompile(`(?m)^ +ignore_fields = \[`), ignore},
	{regexp.MustCompile(`set on_conflict = "force"`), force},
	{regexp.MustCompile(`or have (that manager|these managers) give up`), giveUp},
	{regexp.MustCompile(`Correct (the fields named above|it|the value of|apiVersion)|Correct yaml_body|Correct manifest`), correct},
}

// heed returns the step with the first advice that can be followed; nil without any.
func (w *world) heed(ctx context.Context, s step, errors []string) (*step, error) {
	for _, text := range errors {
		for _, a := range allAdvice {
			if !a.says.MatchString(text) {
				continue
			}
			if next, err := a.do(ctx, w, s, text); next != nil || err != nil {
				return next, err
			}
		}
	}
	return nil, nil
}

// list returns the strings of a line of HCL that sets an argument to a list of strings.
func list(text, argument string) []string {
	_, rest, _ := strings.Cut(text, " "+argument+" = [")
	var all []string
	for {
		rest = strings.TrimLeft(rest, " \n,")
		if !strings.HasPrefix(rest, `"`) {
			return all
		}
		end := 1
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		all = append(all, strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(rest[1:end]))
		rest = rest[end+1:]
	}
}

func takeOver(_ context.Context, _ *world, s step, text string) (*step, error) {
	s.configuration.takeOver = list(text, "take_over_managers")
	return &s, nil
}

func ignore(_ context.Context, w *world, s step, text string) (*step, error) {
	added := list(text, "ignore_fields") // The line has what the resource has, and not what rules have.
	for _, followed := range w.followed {
		if again := unignored.FindStringSubmatch(followed); again != nil && slices.ContainsFunc(patternsIn(again[1]),
			func(path string) bool { return slices.Contains(added, path) }) {
			return nil, nil // An ignored field was in the way: only the other advice of a conflict helps.
		}
	}
	if slices.Contains(s.configuration.byRules, "ignore_fields") {
		added = slices.Compact(slices.Sorted(slices.Values(slices.Concat(s.configuration.ignore, added))))
	}
	s.configuration.ignore = added
	return &s, nil
}

var unignored = regexp.MustCompile(`Remove (".+") from ignore_fields`)

func unignore(_ context.Context, _ *world, s step, text string) (*step, error) {
	gone := patternsIn(unignored.FindStringSubmatch(text)[1])
	kept := slices.DeleteFunc(slices.Clone(s.configuration.ignore), func(path string) bool { return slices.Contains(gone, path) })
	if len(kept) == len(s.configuration.ignore) {
		return nil, nil
	}
	s.configuration.ignore = kept
	return &s, nil
}

// patternsIn returns the patterns of a sentence: "a" and "b".
func patternsIn(text string) []string {
	return list(" ignore_fields = ["+strings.ReplaceAll(text, `" and "`, `", "`), "ignore_fields")
}

func unpin(_ context.Context, _ *world, s step, _ string) (*step, error) {
	s.configuration.pin = nil
	return &s, nil
}

func force(_ context.Context, _ *world, s step, _ string) (*step, error) {
	s.configuration.onConflict = "force"
	return &s, nil
}

var owner = regexp.MustCompile(`owned by (".+)`)

// giveUp has the owners that an error names give up what they own.
func giveUp(ctx context.Context, w *world, s step, text string) (*step, error) {
	for _, found := range owner.FindAllStringSubmatch(text, -1) {
		for _, name := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(found[1], -1) {
			if _, err := w.forget(ctx, name[1]); err != nil {
				return nil, err
			}
		}
	}
	return &s, nil
}

// correct removes fields from a body that the server refuses: to create under another name, or to apply to the object. A
// body that it takes has nothing to correct.
func correct(ctx context.Context, w *world, s step, _ string) (*step, error) {
	accepts := w.creatable
	if accepts(ctx, s.configuration) {
		accepts = w.applicable
	}
	c := s.configuration.clone()
	if accepts(ctx, c) {
		return nil, nil
	}
	for n := range c.fields {
		one := c
		one.fields = slices.Delete(slices.Clone(c.fields), n, n+1)
		if accepts(ctx, one) {
			s.configuration = one
			return &s, nil
		}
	}
	for len(c.fields) > 0 && !accepts(ctx, c) {
		c.fields = c.fields[:len(c.fields)-1]
	}
	s.configuration = c
	return &s, nil
}

// applicable reports whether the server applies a body to the object.
func (w *world) applicable(ctx context.Context, c configuration) bool {
	_, err := w.try(ctx, c.manager(), w.body(c).Object)
	return err == nil
}

// creatable reports whether the server creates a body under a free name.
func (w *world) creatable(ctx context.Context, c configuration) bool {
	body := object(w.whole(c), w.namespace, c.fields)
	body.SetName("fresh")
	_, err := w.clientOf(body.GetAPIVersion()).Create(ctx, body, metav1.CreateOptions{
		DryRun: []string{metav1.DryRunAll}, FieldManager: "nobody", FieldValidation: metav1.FieldValidationStrict,
	})
	return err == nil
}

// target applies the definition alone, and then plays the step again.
func target(ctx context.Context, w *world, s step, _ string) (*step, error) {
	if err := w.restart(ctx, s.configuration); err != nil {
		return nil, err
	}
	with, err := w.planTogether(ctx, s)
	if err != nil || with == nil {
		return nil, err
	}
	return &s, w.applyTogether(ctx, s, with)
}

// replace deletes the object, so that the next plan creates it.
func replace(ctx context.Context, w *world, s step, _ string) (*step, error) {
	if w.isPart {
		return nil, nil
	}
	return &s, w.client.Delete(ctx, w.name(), metav1.DeleteOptions{})
}

var owned = regexp.MustCompile(`(?m)^  (\S+), owned by `)

// rename gives the list items that an error names the keys that the body has for them, as a user with kubectl edit.
// Items that the body does not name go. If sensitive_fields hides which item it is, all items of the list that the body
// names get its keys.
func rename(ctx context.Context, w *world, s step, text string) (*step, error) {
	live, err := w.live(ctx)
	if err != nil || live == nil {
		return nil, err
	}
	s, err = complete(ctx, w, s, text)
	if err != nil {
		return nil, err
	}
	body := w.body(s.configuration)
	for _, found := range owned.FindAllStringSubmatch(text, -1) {
		steps := stepsOfPattern(found[1])
		list, keys := steps[:len(steps)-1], keysOf(steps[len(steps)-1])
		if keys == nil {
			declared, _ := lookup(body.Object, steps)
			hidden, _ := lookup(live.Object, steps)
			items, _ := hidden.([]any)
			for _, item := range items {
				fields, _ := item.(map[string]any)
				maps.Copy(fields, namesake(declared, fields))
			}
			continue
		}
		item, _ := lookup(live.Object, steps)
		fields, _ := item.(map[string]any)
		declared, _ := lookup(body.Object, list)
		named := namesake(declared, fields)
		if named == nil {
			cut(live.Object, steps)
			continue
		}
		for key := range keys {
			fields[key] = named[key]
		}
	}
	return w.edited(ctx, s, live, text)
}

// namesake returns the item of a list that has the name of another item; nil without one.
func namesake(list any, item map[string]any) map[string]any {
	items, _ := list.([]any)
	for _, other := range items {
		if named, _ := other.(map[string]any); named["name"] != nil && named["name"] == item["name"] {
			return named
		}
	}
	return nil
}

var inTheWay = regexp.MustCompile(`(?m)^  (\S+): ".*", owned by `)

// editAway removes the fields that an error names from the object, with the maps that have nothing else, and writes
// what the manifest has in their place, as a user with kubectl edit.
func editAway(ctx context.Context, w *world, s step, text string) (*step, error) {
	live, err := w.live(ctx)
	if err != nil || live == nil {
		return nil, err
	}
	s, err = complete(ctx, w, s, text)
	if err != nil {
		return nil, err
	}
	for _, found := range inTheWay.FindAllStringSubmatch(text, -1) {
		for steps := stepsOfPattern(found[1]); len(steps) > 1; steps = steps[:len(steps)-1] {
			cut(live.Object, steps)
			if rest, _ := lookup(live.Object, steps[:len(steps)-1]); livediff.Text(rest) != "{}" {
				break
			}
		}
		for _, c := range s.configuration.fields {
			if at := len(stepsOfPattern(found[1])) - 2; at > 0 && sharesSteps(stepsOfPattern(found[1])[:at], c) {
				c.put(live.Object)
			}
		}
	}
	return w.edited(ctx, s, live, text)
}

var incomplete = regexp.MustCompile(`Correct \S+, too: the API server misses`)

// complete corrects a body that lacks values beside what an error advises about the object.
func complete(ctx context.Context, w *world, s step, text string) (step, error) {
	if !incomplete.MatchString(text) || w.creatable(ctx, s.configuration) {
		return s, nil
	}
	corrected, err := correct(ctx, w, s, text)
	if err != nil || corrected == nil {
		return s, err
	}
	return *corrected, nil
}

// sharesSteps reports whether the path of a choice begins with steps.
func sharesSteps(steps []string, c choice) bool {
	all := strings.Split(c.path, "|")
	return len(all) > len(steps) && slices.Equal(all[:len(steps)], steps)
}

// edited writes an object that another client has edited because of the text of an error.
func (w *world) edited(ctx context.Context, s step, live *unstructured.Unstructured, text string) (*step, error) {
	_, err := w.client.Update(ctx, live, metav1.UpdateOptions{FieldManager: "kubectl-edit"})
	for apierrors.IsConflict(err) { // A controller wrote meanwhile.
		var read *unstructured.Unstructured
		if read, err = w.live(ctx); err != nil || read == nil {
			return nil, err
		}
		live.SetResourceVersion(read.GetResourceVersion())
		_, err = w.client.Update(ctx, live, metav1.UpdateOptions{FieldManager: "kubectl-edit"})
	}
	if err != nil {
		return nil, broke(s, "advice can be followed", text, err.Error())
	}
	return &s, nil
}

// stepsOfPattern returns the steps of a path as messages print it.
func stepsOfPattern(pattern string) []string {
	all := segments(pattern)
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], `"`, "")
	}
	return all
}

// runKubectl sends the requests of the kubectl lines of an error.
func runKubectl(ctx context.Context, w *world, s step, text string) (*step, error) {
	found := false
	for line := range strings.Lines(text) {
		words := shellWords(strings.TrimSpace(line))
		if len(words) < 3 || words[0] != "kubectl" || words[1] != "patch" {
			continue
		}
		kind, body, options := types.StrategicMergePatchType, "", metav1.PatchOptions{FieldManager: "kubectl-patch"}
		var subresources []string
		for i, word := range words {
			name, value, hasValue := strings.Cut(word, "=")
			if !hasValue && i+1 < len(words) {
				value = words[i+1]
			}
			switch name {
			case "--type":
				kind = map[string]types.PatchType{"json": types.JSONPatchType, "merge": types.MergePatchType}[value]
			case "-p", "--patch":
				body = value
			case "--subresource":
				subresources = append(subresources, value)
			case "--field-manager":
				options.FieldManager = value
			}
		}
		if _, err := w.client.Patch(ctx, w.name(), kind, []byte(body), options, subresources...); err != nil {
			return nil, broke(s, "advice can be followed", line, err.Error())
		}
		found = true
	}
	if !found {
		return nil, nil
	}
	return &s, nil
}

// shellWords splits a line as a shell does, with single and double quotes.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	quote, begun := rune(0), false
	for _, r := range line {
		switch {
		case r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, begun = r, true
		case r == ' ':
			if begun || word.Len() > 0 {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
		}
	}
	return append(words, word.String())
}
