package acceptance_test

// schemaLevel is where a field's owners are recorded.
type schemaLevel string

const (
	// ownedWhole: a field has its owners as a whole.
	ownedWhole schemaLevel = "whole"
	// ownedByPart: each member, item or key has owners of its own.
	ownedByPart schemaLevel = "parts"
)

// schemaShape is a type that a schema can give spec.field.
type schemaShape struct {
	name   string
	level  schemaLevel
	schema string
}

const (
	aWord = "{type: string}"
	aPair = "{type: object, required: [name], properties: {name: {type: string}, value: {type: string}}}"
)

func listOf(items, listType string) string {
	return "{type: array, items: " + items + listType + "}"
}

// listShapes returns the list types over items: none is a list without x-kubernetes-list-type, which is atomic.
func listShapes(items string) []schemaShape {
	third := schemaShape{"set", ownedByPart, listOf(items, ", x-kubernetes-list-type: set")}
	if items == aPair {
		third = schemaShape{"map", ownedByPart, listOf(items, ", x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name]")}
	}
	return []schemaShape{
		{"none", ownedWhole, listOf(items, "")},
		{"atomic", ownedWhole, listOf(items, ", x-kubernetes-list-type: atomic")},
		third,
	}
}

// objectShapes returns the map types of an object with this content.
func objectShapes(content string) []schemaShape {
	return []schemaShape{
		{"granular", ownedByPart, "{type: object, " + content + "}"},
		{"atomic", ownedWhole, "{type: object, x-kubernetes-map-type: atomic, " + content + "}"},
	}
}

// schemaValues are values of spec.field that all shapes of a family take. Of the members a, b, c and d, we
// declare a and b.
type schemaValues struct {
	ab, a, bc string
	// abcd is what a merge patch writes.
	abcd string
	// liveAB, liveA and liveABC are the values as JSON.
	liveAB, liveA, liveABC string
	// memberA is the path of the leaf that is a, memberB the path of b.
	memberA, memberB string
}

// schemaFamily is a number of shapes between which a field can change while its values stay valid.
type schemaFamily struct {
	name   string
	shapes []schemaShape
	schemaValues
}

func schemaFamilies() []schemaFamily {
	keys := schemaValues{
		ab: `{a: "1", b: "2"}`, a: `{a: "1"}`, bc: `{b: "2", c: "3"}`, abcd: `{"a":"1","b":"2","c":"3","d":"4"}`,
		liveAB: `{"a":"1","b":"2"}`, liveA: `{"a":"1"}`, liveABC: `{"a":"1","b":"2","c":"3"}`,
		memberA: "spec.field.a", memberB: "spec.field.b",
	}
	return []schemaFamily{
		{"list of words", listShapes(aWord), schemaValues{
			ab: `[a, b]`, a: `[a]`, bc: `[b, c]`, abcd: `["a","b","c","d"]`,
			liveAB: `["a","b"]`, liveA: `["a"]`, liveABC: `["a","b","c"]`,
			memberA: `spec.field[="a"]`, memberB: `spec.field[="b"]`,
		}},
		{"list of objects", listShapes(aPair), schemaValues{
			ab: `[{name: a, value: "1"}, {name: b, value: "2"}]`, a: `[{name: a, value: "1"}]`,
			bc:     `[{name: b, value: "2"}, {name: c, value: "3"}]`,
			abcd:   `[{"name":"a","value":"1"},{"name":"b","value":"2"},{"name":"c","value":"3"},{"name":"d","value":"4"}]`,
			liveAB: `[{"name":"a","value":"1"},{"name":"b","value":"2"}]`, liveA: `[{"name":"a","value":"1"}]`,
			liveABC: `[{"name":"a","value":"1"},{"name":"b","value":"2"},{"name":"c","value":"3"}]`,
			memberA: `spec.field[name="a"].value`, memberB: `spec.field[name="b"]`,
		}},
		{"map", objectShapes("additionalProperties: {type: string}"), keys},
		{"struct", objectShapes("properties: {a: {type: string}, b: {type: string}, c: {type: string}, d: {type: string}}"), keys},
	}
}

// schemaChange is an ordered pair of shapes of one family.
type schemaChange struct {
	schemaFamily
	from, to schemaShape
}

func (c schemaChange) name() string {
	return c.schemaFamily.name + ", " + c.from.name + " to " + c.to.name
}

// schemaChanges returns all ordered pairs of shapes at these levels.
func schemaChanges(from, to schemaLevel) []schemaChange {
	var all []schemaChange
	for _, f := range schemaFamilies() {
		for _, before := range f.shapes {
			for _, after := range f.shapes {
				if before.name != after.name && before.level == from && after.level == to {
					all = append(all, schemaChange{f, before, after})
				}
			}
		}
	}
	return all
}
