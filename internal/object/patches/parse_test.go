package patches

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseErrors(t *testing.T) {
	t.Parallel()
	const (
		atEnd = "Write the position, such as /spec/args/0, after a test of the item before it: the operation does nothing once the item is at that position. " +
			"Or set the list with replace. To own one item of a list that has keys, use server-side apply."
		example   = `Write for example { op = "replace", path = "/spec/replicas", value = 3 }.`
		fieldsFor = "Write the fields to change as in a manifest, for example jsonencode({ spec = { replicas = 3 } })."
		named     = ": the target of the resource names the object."
		directive = "Write $patch, $retainKeys, $setElementOrder/LIST or $deleteFromPrimitiveList/LIST."
		empty     = "the patch is empty, so it changes nothing. Write at least one field to change, or remove the resource."
		ofOneType = `Write items that are equal to those of the list. An item that is a map is deleted by its key and "$patch": "delete".`
		deeper    = "Write it further down, at the field that you mean."
	)
	tests := map[string]struct {
		kind Type
		body string
		want string
	}{
		"an unknown type": {"yaml", "[]", `"yaml" is not a type of patch. Write "json", "merge" or "strategic".`},
		"no type":         {"", "[]", `"" is not a type of patch. Write "json", "merge" or "strategic".`},

		"no body":             {JSON, " \n", empty},
		"no operations":       {JSON, "[]", empty},
		"only tests":          {JSON, `[{"op":"test","path":"/spec/a","value":1}]`, empty},
		"no fields":           {Merge, "{}", empty},
		"no fields, strategy": {Strategic, "{}", empty},

		"YAML":                {Merge, "spec:\n  a: 1\n", "the body is not valid JSON at line 1, column 1. " + validJSON},
		"a comma too many":    {Merge, "{\n  \"spec\": {\"ä\": 1,}\n}", "the body is not valid JSON at line 2, column 19. " + validJSON},
		"a brace too few":     {Merge, `{"spec": {"a": 1}`, "the body is not valid JSON: it ends too early. " + validJSON},
		"text after the body": {JSON, `[{"op":"remove","path":"/a"}] x`, "the body is not valid JSON at line 1, column 31. " + validJSON},
		"a field twice":       {Merge, `{"spec":{"a":1,"a":2}}`, `the body has the field "spec.a" twice. Remove one of them.`},

		"one operation": {JSON, `{"op":"remove","path":"/a"}`,
			"the body of a json patch is a list of operations, and this is one operation. Put it in brackets: jsonencode([{ op = ..., path = ... }])."},
		"fields as operations": {JSON, `{"spec":{}}`,
			`the body of a json patch is a list of operations, not an object. Write jsonencode([{ op = "replace", path = "/spec/replicas", value = 3 }]), or set type = "merge".`},
		"null as operations": {JSON, "null",
			`the body of a json patch is a list of operations, not null. Write jsonencode([{ op = "replace", path = "/spec/replicas", value = 3 }]), or set type = "merge".`},
		"operations as fields": {Merge, `[{"op":"remove","path":"/a"}]`,
			`the body of a merge patch is an object, and this is a list of operations. Set type = "json" for a list of operations.`},
		"a list as fields":   {Strategic, "[1]", "the body of a strategic patch is an object, not a list. " + fieldsFor},
		"a text as fields":   {Merge, `"a"`, "the body of a merge patch is an object, not a string. " + fieldsFor},
		"a number as fields": {Merge, "1", "the body of a merge patch is an object, not a number. " + fieldsFor},
		"a boolean":          {Merge, "true", "the body of a merge patch is an object, not a boolean. " + fieldsFor},

		"an operation that is a text": {JSON, `["a"]`, "operation 1 is a string, not an object. " + example},
		"no op":                       {JSON, `[{"path":"/a"}]`, "operation 1 has no op. Write its op."},
		"an op that is null":          {JSON, `[{"op":null,"path":"/a"}]`, "operation 1: op is null, not a string. Write a string there."},
		"an unknown op": {JSON, `[{"op":"remove","path":"/a"},{"op":"set","path":"/a"}]`,
			`operation 2 has the op "set", which does not exist. Write add, remove, replace, copy or test.`},
		"an op in capitals": {JSON, `[{"op":"ADD","path":"/a","value":1}]`,
			`operation 1 has the op "ADD", which does not exist. Write add, remove, replace, copy or test.`},
		"no path":         {JSON, `[{"op":"remove"}]`, "operation 1 (remove) has no path. Write its path."},
		"no value":        {JSON, `[{"op":"add","path":"/a"}]`, "operation 1 (add) has no value. Write its value."},
		"no from":         {JSON, `[{"op":"copy","path":"/a"}]`, "operation 1 (copy) has no from. Write its from."},
		"a path of tests": {JSON, `[{"op":"test","value":1}]`, "operation 1 (test) has no path. Write its path."},
		"a strange member": {JSON, `[{"op":"remove","path":"/a","value":1}]`,
			`operation 1 (remove) has a member "value". Remove it: the operation takes op, path.`},
		"a member in capitals": {JSON, `[{"op":"add","path":"/a","value":1,"Value":2}]`,
			`operation 1 (add) has a member "Value". Remove it: the operation takes op, path and value.`},

		"the whole object": {JSON, `[{"op":"replace","path":"","value":{}}]`,
			`operation 1 (replace): path is empty, which means the whole object. Write the pointer to a field, for example "/spec/replicas".`},
		"a field path": {JSON, `[{"op":"remove","path":"spec.replicas"}]`,
			`operation 1 (remove): "spec.replicas" is not a JSON pointer: it does not begin with a slash. Write "/spec/replicas".`},
		"a fragment": {JSON, `[{"op":"remove","path":"#/spec/replicas"}]`,
			`operation 1 (remove): "#/spec/replicas" is not a JSON pointer: it does not begin with a slash. Write "/spec/replicas".`},
		"a lone tilde": {JSON, `[{"op":"remove","path":"/spec/a~0~b"}]`,
			`operation 1 (remove): "/spec/a~0~b" is not a JSON pointer: a ~ stands alone. Write ~0 for ~, and ~1 for a slash within a name.`},
		"a tilde at the end": {JSON, `[{"op":"remove","path":"/spec~/a"}]`,
			`operation 1 (remove): "/spec~/a" is not a JSON pointer: a ~ stands alone. Write ~0 for ~, and ~1 for a slash within a name.`},
		"a from that is no pointer": {JSON, `[{"op":"copy","from":"a","path":"/b"}]`,
			`operation 1 (copy /b): "a" is not a JSON pointer: it does not begin with a slash. Write "/a".`},
		"a path that is a number": {JSON, `[{"op":"remove","path":1}]`,
			"operation 1 (remove): path is a number, not a string. Write a string there."},

		"the end of a list": {JSON, `[{"op":"add","path":"/spec/args/-","value":"a"}]`,
			"operation 1 (add /spec/args/-) adds one more item to the end of the list at each apply. " + atEnd},
		"a copy to the end of a list": {JSON, `[{"op":"copy","from":"/spec/a","path":"/spec/args/-"}]`,
			"operation 1 (copy /spec/args/-) adds one more item to the end of the list at each apply. " + atEnd},
		"a move": {JSON, `[{"op":"move","from":"/spec/a","path":"/spec/b"}]`,
			"operation 1 (move /spec/b) moves a field that is gone after the first apply. Write an add of the value at /spec/b, and a remove of /spec/a."},
		"a copy into itself": {JSON, `[{"op":"copy","from":"/spec/a","path":"/spec/a/b"}]`,
			"operation 1 (copy /spec/a/b) copies /spec/a within itself. Copy to a field outside of it, or write an add of the value."},
		"a copy out of itself": {JSON, `[{"op":"copy","from":"/spec/a/b","path":"/spec/a"}]`,
			"operation 1 (copy /spec/a) copies /spec/a/b within itself. Copy to a field outside of it, or write an add of the value."},

		"the kind": {JSON, `[{"op":"replace","path":"/kind","value":"Job"}]`, "the patch has kind, which says which object it is. Remove kind from the patch" + named},
		"the name": {JSON, `[{"op":"add","path":"/metadata/name","value":"b"}]`,
			"the patch has metadata.name, which says which object it is. Remove metadata.name from the patch" + named},
		"metadata as a whole": {JSON, `[{"op":"remove","path":"/metadata"}]`,
			"the patch changes metadata as a whole, and with it the name of the object. Write the field of metadata to change, such as labels or annotations."},
		"part of managedFields": {JSON, `[{"op":"remove","path":"/metadata/managedFields/0"}]`,
			"the patch changes metadata.managedFields, which only the API server writes. Remove metadata.managedFields from the patch."},
		"status": {JSON, `[{"op":"copy","from":"/spec/a","path":"/status/a"}]`,
			"the patch changes status, which the controller of the object writes. Remove status from the patch, or move it to a patch of the subresource status."},
		"the API version of fields": {Merge, `{"apiVersion":"v1"}`, "the patch has apiVersion, which says which object it is. Remove apiVersion from the patch" + named},
		"the namespace of fields": {Strategic, `{"metadata":{"labels":{},"namespace":"b"}}`,
			"the patch has metadata.namespace, which says which object it is. Remove metadata.namespace from the patch" + named},
		"the uid of fields": {Merge, `{"metadata":{"uid":"b"}}`,
			"the patch changes metadata.uid, which only the API server writes. Remove metadata.uid from the patch."},
		"no metadata": {Merge, `{"metadata":null}`,
			"the patch changes metadata as a whole, and with it the name of the object. Write the field of metadata to change, such as labels or annotations."},
		"status of fields": {Merge, `{"status":{"a":1}}`, "the patch changes status, which the controller of the object writes. Remove status from the patch, or move it to a patch of the subresource status."},

		"a directive in a merge patch": {Merge, `{"spec":{"list":[{"$patch":"delete"}]}}`,
			`"$patch" in /spec/list/0 is a directive of strategic merge patches, and this is a merge patch. Set type = "strategic", or write null for a field to remove.`},
		"an unknown directive": {Strategic, `{"spec":{"$delete":"a"}}`, `"$delete" in /spec is not a directive. ` + directive},
		"a directive at the top": {Strategic, `{"$patch":"replace","spec":{}}`,
			`"$patch" stands where it would remove the name of the object. ` + deeper},
		"retained metadata": {Strategic, `{"metadata":{"$retainKeys":["labels"],"labels":{}}}`,
			`"$retainKeys" stands where it would remove the name of the object. ` + deeper},
		"a directive to merge": {Strategic, `{"spec":{"a":{"$patch":"merge"}}}`,
			`"$patch" in /spec/a is neither "replace" nor "delete". Write "replace" or "delete". Without "$patch" the fields are merged.`},
		"a directive that is a map": {Strategic, `{"spec":{"a":{"$patch":{}}}}`,
			`"$patch" in /spec/a is neither "replace" nor "delete". Write "replace" or "delete". Without "$patch" the fields are merged.`},
		"an order that is a text": {Strategic, `{"spec":{"$setElementOrder/a":"b"}}`, `"$setElementOrder/a" in /spec is a string, not a list. Write a list.`},
		"a field that is not retained": {Strategic, `{"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate","rollingUpdate":{}}}}`,
			`"$retainKeys" in /spec/strategy does not have the field "rollingUpdate", which the patch sets. Add it to the list: $retainKeys are all fields that stay.`},
		"a deleted item that is a map": {Strategic, `{"spec":{"$deleteFromPrimitiveList/a":[{"name":"b"}]}}`,
			`"$deleteFromPrimitiveList/a" in /spec and the items of "a" are not all of one type, such as string. ` + ofOneType},
		"deleted items of two types": {Strategic, `{"spec":{"$deleteFromPrimitiveList/a":["b",1]}}`,
			`"$deleteFromPrimitiveList/a" in /spec and the items of "a" are not all of one type, such as string. ` + ofOneType},
		"deleted and added items of two types": {Strategic, `{"spec":{"a":[{"$patch":"replace"}],"$deleteFromPrimitiveList/a":["b"]}}`,
			`"$deleteFromPrimitiveList/a" in /spec and the items of "a" are not all of one type, such as string. ` + ofOneType},
		"items of a list that is removed": {Strategic, `{"spec":{"a":null,"$deleteFromPrimitiveList/a":["b"]}}`,
			`"$deleteFromPrimitiveList/a" in /spec deletes items of "a", which the patch makes null. Remove one of them.`},
		"an item deleted and added": {Strategic, `{"metadata":{"finalizers":["a","b"],"$deleteFromPrimitiveList/finalizers":["b"]}}`,
			`"$deleteFromPrimitiveList/finalizers" in /metadata deletes an item that "finalizers" adds. Remove it from one of them.`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse("", tt.kind, tt.body)
			if diff := cmp.Diff(tt.want, isFault(t, err).Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseAccepts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		kind Type
		body string
	}{
		"a test of what the server writes": {JSON, `[{"op":"test","path":"/metadata/uid","value":"a"},{"op":"remove","path":"/spec/a"}]`},
		"a copy out of status":             {JSON, `[{"op":"copy","from":"/status/a","path":"/metadata/annotations/a"}]`},
		"a value of null":                  {JSON, `[{"op":"add","path":"/spec/a","value":null}]`},
		"a name with a slash":              {JSON, `[{"op":"remove","path":"/metadata/annotations/a~1b~0"}]`},
		"a dollar in a merge patch":        {Merge, `{"spec":{"$ref":"a"}}`},
		"labels of metadata":               {Merge, `{"metadata":{"labels":{"name":"a","status":null}}}`},
		"directives":                       {Strategic, `{"spec":{"a":{"$patch":"replace","b":1},"$setElementOrder/c":[{"name":"a"}],"d":{"$retainKeys":["e"],"e":1,"f":null}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			patch, err := Parse("", tt.kind, tt.body)
			if err != nil {
				t.Fatal(err)
			}
			if patch.Type != tt.kind {
				t.Errorf("type %q", patch.Type)
			}
		})
	}
}

func TestMediaType(t *testing.T) {
	t.Parallel()
	want := []string{"application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json"}
	var got []string
	for _, kind := range []Type{JSON, Merge, Strategic} {
		got = append(got, string(kind.MediaType()))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("media types (-want +got):\n%s", diff)
	}
}

func TestPointer(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]pointer{
		"/a":       {"a"},
		"/a/b/0":   {"a", "b", "0"},
		"/a~1b/~0": {"a/b", "~"},
		"/~01":     {"~1"},
		"/a/":      {"a", ""},
		"/ä b/a.c": {"ä b", "a.c"},
	} {
		got, err := parsePointer("path", text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if got.String() != text {
			t.Errorf("%s is written as %s", text, got)
		}
	}
}
