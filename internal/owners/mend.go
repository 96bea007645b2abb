package owners

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// step is a step of a JSON patch.
type step struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// patch returns a command that sends a JSON patch to an object.
func patch(target string, steps []step) string {
	text, _ := json.Marshal(steps) // Strings and maps of strings are always JSON.
	// A shell knows no escape of a single quote between single quotes, and JSON has one.
	return fmt.Sprintf("kubectl patch %s --type=json -p '%s'", target, strings.ReplaceAll(string(text), "'", `\u0027`))
}

// target returns how kubectl names an object.
func (o Object) target() string {
	text := o.Resource + " " + manifest.ShellWord(o.ID.Name)
	if o.ID.Namespace != "" {
		text += " -n " + o.ID.Namespace
	}
	return text
}

// entry returns the pointer to an entry of managedFields, and steps that test that it is still that of the claim.
func (o Object) entry(position int) (pointer string, guard []step) {
	claim := o.Claims[position]
	pointer = fmt.Sprintf("/metadata/managedFields/%d", position)
	var subresource any = claim.Subresource
	if claim.Subresource == "" {
		subresource = json.RawMessage("null") // An entry has no empty one.
	}
	return pointer, []step{
		{"test", pointer + "/manager", claim.Name}, {"test", pointer + "/operation", string(claim.Operation)},
		{"test", pointer + "/apiVersion", claim.APIVersion}, {"test", pointer + "/subresource", subresource},
	}
}

// rewrite returns the command that ends the claim of a manager, if it has one on the object, and moves the claims in
// versions that are not served to the version in which the object was read. It moves all of them: with one left, the
// server would forget all owners of a custom resource. The last claim becomes a placeholder. No value changes.
func (o Object) rewrite(released ownership.Manager) string {
	moving := ownership.Rewrite{Versions: o.unserved, Convertible: o.ID.APIVersion}
	left := map[ownership.Manager]*paths.Set{}
	for _, claim := range moving.Claims(slices.DeleteFunc(slices.Clone(o.Claims), func(c ownership.Claim) bool {
		return c.Manager == released
	})) {
		left[claim.Manager] = claim.Fields
	}
	var steps []step
	// Backward, because an entry that is removed changes the positions of those after it.
	for i, claim := range slices.Backward(o.Claims) {
		pointer, guard := o.entry(i)
		moved := moving.Claims(ownership.Claims{claim})[0].Manager
		fields := func(op string, set *paths.Set) step {
			raw, _ := paths.MarshalSet(set) // What was parsed is always JSON.
			return step{op, pointer + "/fieldsV1", json.RawMessage(raw)}
		}
		var edits []step
		switch owned := left[moved]; {
		case claim.Manager == released && len(o.Claims) == 1:
			placeholder, _ := ownership.Placeholder(o.ID.APIVersion) // It is always JSON.
			edits = []step{{"replace", pointer, placeholder}}
		case claim.Manager == released:
			edits = []step{{Op: "remove", Path: pointer}}
		case owned == nil: // An entry after it, which is of the same manager then, has got its fields.
			edits = []step{fields("test", claim.Fields), {Op: "remove", Path: pointer}}
		default:
			if !owned.Equals(claim.Fields) {
				edits = []step{fields("test", claim.Fields), fields("replace", owned)}
			}
			if moved != claim.Manager {
				edits = append(edits, step{"replace", pointer + "/apiVersion", moved.APIVersion})
			}
			delete(left, moved)
		}
		if len(edits) > 0 {
			steps = slices.Concat(steps, guard, edits)
		}
	}
	return patch(o.target(), steps)
}

// apply returns the command that gives an object a manager.
func (o Object) apply() string {
	namespace := ""
	if o.ID.Namespace != "" {
		namespace = " -n " + o.ID.Namespace
	}
	return "kubectl apply --server-side --field-manager=NAME" + namespace + " -f FILE"
}

// ours is the beginning of the provider's default field managers.
const ours = "k8sconnect"

// templates escapes what HCL takes for the beginning of a template.
var templates = strings.NewReplacer("${", "$${", "%{", "%%{")

// leaveOut returns what makes one of several writers stop: the block of a resource of the provider, the end of a claim
// that no tool ends, or what to take out of a manifest and the command that shows that it has helped. named are those
// of fields that it names.
func (o Object) leaveOut(problem Problem, about []ownership.Claim, fields []string) (mend string, named []string) {
	isApplied := func(c ownership.Claim) bool { return c.Operation == metav1.ManagedFieldsOperationApply }
	isOurs := func(c ownership.Claim) bool { return isApplied(c) && strings.HasPrefix(c.Name, ours) }
	if slices.ContainsFunc(about, isOurs) {
		texts := make([]string, len(fields))
		for i, field := range fields {
			text, _ := json.Marshal(field)
			texts[i] = templates.Replace(string(text))
		}
		line := "ignore_fields = [" + strings.Join(texts, ", ") + "]"
		if problem == Alternating {
			line = "# if the manifest of " + about[0].Name + " contains them, and " + about[1].Name +
				" is to keep them:\n" + line
		}
		return line, fields
	}
	isLeftover := func(c ownership.Claim) bool { return !isApplied(c) && c.Writer() != ownership.Controller }
	if at := slices.IndexFunc(about, isLeftover); at >= 0 && problem == Shared {
		return o.rewrite(about[at].Manager), nil
	}
	names := make([]string, len(about))
	for i, claim := range about {
		names[i] = claim.Name
	}
	listed := strings.Join(fields, ", ")
	if problem == Alternating {
		const leave = "# if the manifest of %s contains %s, leave it out, then\nkubectl owners %s"
		return fmt.Sprintf(leave, names[0], listed, o.target()), fields
	}
	all := strings.Join(names, ", ")
	const leave = "# leave %s out of what all but one of %s write, then\nkubectl owners %s"
	return fmt.Sprintf(leave, listed, all, o.target()), fields
}
