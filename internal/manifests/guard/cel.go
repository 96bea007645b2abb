package guard

import (
	"fmt"
	"strconv"
	"strings"
)

// Expressions about the request. A part that is empty is missing there.
const (
	manager   = `request.?options.?fieldManager.orValue("")`
	username  = `request.userInfo.?username.orValue("")`
	allGroups = `request.userInfo.?groups.orValue([])`
)

// unfinished ends the manager that holds our claim between the two halves of a replacement that keeps the object, and
// planned the manager of dry-runs that must not remove anything; see packages object/record and object/ssa.
const (
	unfinished = `(?:\+unfinished)?`
	planned    = "-plan"
)

// isOurs returns an expression that is true for an entry of managedFields that is guarded.
func (o Options) isOurs() string {
	return "has(entry.manager) && entry.manager.matches(" + quote(patternWith(o.FieldManagers, unfinished)) + ")"
}

// isOwner returns an expression that is true for a write of an owner. A DELETE has no field manager.
func (o Options) isOwner() string {
	writes := []string{manager + ".matches(" + quote(patternWith(o.FieldManagers, unfinished)) + ")",
		"(request.?dryRun.orValue(false) && " + manager + ".matches(" + quote(patternWith(o.FieldManagers,
			planned)) + "))"}
	owner := isOneOf(o.OwnerUsers, o.OwnerGroups)
	if owner == "" {
		return strings.Join(writes, " ||\n  ")
	}
	return "(" + owner + ") && (\n  request.operation == \"DELETE\" || " + strings.Join(writes, " ||\n  ") + ")"
}

// scaled returns an expression that is true for a write to the subresource scale of an object in Scale; "" if Scale is
// empty.
func (o Options) scaled() string {
	if len(o.Scale) == 0 {
		return ""
	}
	return `(request.?subResource.orValue("") == "scale" && (request.resource.?group.orValue("") + "/" +` +
		"\n    request.resource.resource + \"/\" + request.?namespace.orValue(\"\") + \"/\" + request.name)\n" +
		"    .matches(" + quote(keysPattern(o.Scale)) + "))"
}

func user(pattern string) string { return username + ".matches(" + quote(pattern) + ")" }

func groups(pattern string) string {
	return allGroups + ".exists(group, group.matches(" + quote(pattern) + "))"
}

// isOneOf is true for users whose name or one of whose groups matches a glob; "" without globs.
func isOneOf(users, ofGroups []string) string {
	var given []string
	if len(users) > 0 {
		given = append(given, user(pattern(users)))
	}
	if len(ofGroups) > 0 {
		given = append(given, groups(pattern(ofGroups)))
	}
	return strings.Join(given, " ||\n  ")
}

// quote returns a string literal of CEL. The escapes of Go in ASCII are escapes of CEL with the same meaning, except
// for bytes that are not UTF-8, which Terraform has in no string.
func quote(text string) string { return strconv.QuoteToASCII(text) }

// depth is how many steps of a path a message shows at most.
const depth = 8

// lost returns an expression for the paths that have left the entries. CEL knows no recursion, so the expression has
// a comprehension for each step of a path.
func lost() string {
	// CEL has no let: [value].map(name, expression)[0] gives a value a name.
	texts := "variables.before.map(was, [variables.after.filter(is, is.manager == was.manager && " +
		"is.operation == was.operation &&\n  is.?subresource == was.?subresource)].map(same, " +
		step(1, "was.?fieldsV1.orValue({})", "(size(same) > 0 ? same[0].?fieldsV1.orValue({}) : {})", "") +
		")[0]).filter(text, text != \"\").join(\", \")"
	return shown(texts, "metadata.managedFields")
}

// shown returns an expression that converts the result of the expression texts, joined paths of fieldsV1, to the form
// of messages; it gives fallback for "".
func shown(texts, fallback string) string {
	// f:spec/f:containers/k:{"name":"app"} becomes spec.containers[name="app"].
	for _, replaced := range [][2]string{
		{"/f:", "."}, {"/.", ""}, {`/k:{"`, "["}, {`":`, "="}, {`,"`, ","}, {"}", "]"},
	} {
		texts += fmt.Sprintf("\n  .replace(%s, %s)", quote(replaced[0]), quote(replaced[1]))
	}
	const longest = 600
	return fmt.Sprintf("[%s].map(text, text == \"\" ? %s :\n"+
		"  size(text) > %d ? text.substring(0, %[3]d) + \"...\" : text)[0]", texts, quote(fallback), longest)
}

// added returns an expression for the paths that an entry of another manager has after the write, and no entry had
// before: "" for none. It leaves out the status, what goes through the subresources status and scale, and the
// annotation of kubectl rollout restart. An item of a list is one path.
func added() string {
	const entries = "(has(object.metadata.managedFields) ? object.metadata.managedFields : [])\n" +
		`.filter(entry, !(entry.?subresource.orValue("") in ["status", "scale"]))`
	return "[" + fields("oldObject") + "].map(known, " + entries + ".map(entry, entry.?fieldsV1.orValue({}))\n" +
		".filter(now, !(now in known)).map(now, " + newBelow(1, "now", "known", "") + ").filter(text, text != \"\")" +
		".join(\", \"))[0]"
}

// fields returns an expression for the fields of all entries of an object.
func fields(object string) string {
	return fmt.Sprintf("(has(%[1]s.metadata.managedFields) ?\n"+
		"  %[1]s.metadata.managedFields.map(entry, entry.?fieldsV1.orValue({})) : [])", object)
}

// steps is how many steps of a path the guard compares, and one more by their names: the value of an environment
// variable of a CronJob has ten.
const steps = 10

// newBelow returns an expression for the paths below prefix that are in the map now and in none of the maps known.
func newBelow(level int, now, known, prefix string) string {
	key, in := fmt.Sprintf("k%d", level), fmt.Sprintf("n%d", level)
	rest, path := fmt.Sprintf("r%d", level), fmt.Sprintf("q%d", level)
	named := fmt.Sprintf(`%s + (%s.startsWith("v:") ? "[=" + %[2]s.substring(2) + "]" : "/" + %[2]s)`, prefix, key)
	others := fmt.Sprintf(`%s != "." && %[1]s != "f:kubectl.kubernetes.io/restartedAt"`, key)
	if level == 1 {
		named, others = fmt.Sprintf(`%s.replace("f:", "")`, key), fmt.Sprintf(`%s != "f:status"`, key)
	}
	isNew := fmt.Sprintf(`size(%s) == 0 && (size(%s[%s]) == 0 || !%[3]s.startsWith("f:"))`, rest, in, key)
	deeper := fmt.Sprintf(`%s.exists(one, %s[%s].all(name, name in one)) ? "" : %s`, rest, in, key, path)
	if level < steps {
		deeper = newBelow(level+1, in+"["+key+"]", rest, path)
	}
	return fmt.Sprintf("[%s].map(%s, %[2]s.map(%[3]s, %[4]s,\n"+
		"[%[5]s.filter(one, %[3]s in one).map(one, one[%[3]s])].map(%[6]s, [%[7]s].map(%[8]s,\n"+
		"%[9]s ? %[8]s : size(%[2]s[%[3]s]) == 0 ? \"\" : %[10]s)[0])[0]).filter(text, text != \"\").join(\", \"))[0]",
		now, in, key, others, known, rest, named, path, isNew, deeper)
}

// step returns an expression for the paths below prefix that are in the map was and not as they were in the map is.
// A map that is gone is one path, unless it has one field.
func step(level int, was, is, prefix string) string {
	key, inWas, inIs := fmt.Sprintf("k%d", level), fmt.Sprintf("a%d", level), fmt.Sprintf("b%d", level)
	path := fmt.Sprintf(`%s + (%s.startsWith("v:") ? "[=" + %[2]s.substring(2) + "]" : "/" + %[2]s)`, prefix, key)
	if level == 1 {
		path = fmt.Sprintf(`%s.replace("f:", "")`, key)
	}
	whole := fmt.Sprintf("p%d", level)
	then := whole
	if level < depth {
		then = fmt.Sprintf("size(%s[%s]) > 0 && (%[2]s in %[3]s || size(%[1]s[%[2]s]) == 1) ?\n%[4]s : %[5]s",
			inWas, key, inIs, step(level+1, inWas+"["+key+"]", fmt.Sprintf("(%s in %s ? %[2]s[%[1]s] : {})", key,
				inIs), whole), whole)
	}
	return fmt.Sprintf("[%s].map(%s, [%s].map(%s,\n%[2]s.map(%[5]s, !(%[5]s in %[4]s) || %[2]s[%[5]s] != "+
		"%[4]s[%[5]s],\n"+
		"[%[6]s].map(%[7]s, %[8]s)[0]).join(\", \"))[0])[0]", was, inWas, is, inIs, key, path, whole, then)
}
