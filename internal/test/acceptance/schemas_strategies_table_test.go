package acceptance_test

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

// strategy is a field with one merge strategy, and the values that it takes in the stories.
type strategy struct {
	name string
	// parents lead to the map that holds the field, through the first item of lists.
	parents []string
	root    paths.Path
	shape   shape
	// first is the value that every creator gives the field.
	first any
	// second changes a member of first, drops one, adds one and keeps one.
	second any
	// edit is first as another client changes it.
	edit any
	// empty is the field without anything in it.
	empty any
}

type (
	object = map[string]any
	list   = []any
)

func pair(name, value string) object { return object{"name": name, "value": value} }

// specStrategies returns the fields of a Sample's spec.
func specStrategies() []strategy {
	pairs := map[string]shape{"name": aString, "value": aString}
	pairItem := itemOf(pairs, "name")
	letters := map[string]shape{"a": aString, "b": aString, "c": aString, "d": aString, "x": aString}
	words := strategy{first: list{"a", "b", "d"}, second: list{"d", "c", "a"}, edit: list{"a", "d", "x"}, empty: list{}}
	keys := strategy{
		first:  object{"a": "1", "b": "2", "d": "4"},
		second: object{"a": "7", "c": "3", "d": "4"},
		edit:   object{"a": "9", "b": "2", "d": "4", "x": "5"},
		empty:  object{},
	}
	items := strategy{
		first:  list{pair("a", "1"), pair("b", "2"), pair("d", "4")},
		second: list{pair("a", "7"), pair("c", "3"), pair("d", "4")},
		edit:   list{pair("a", "9"), pair("d", "4"), pair("x", "5")},
		empty:  list{},
	}
	all := []strategy{
		words.with("atomicList", atomicList(aString)),
		words.with("untypedList", untypedList(aString)),
		words.with("setOfStrings", setOf(aString)),
		items.with("keyedByOne", keyedList(pairItem, nil, "name")),
		keys.with("granularMap", mapOf(aString)),
		keys.with("atomicMap", atomicMap(aString)),
		keys.with("granularStruct", structOf(letters)),
		keys.with("atomicStruct", atomicStruct(letters)),
		strategy{
			first: list{1, 2, 4}, second: list{1, 3, 4}, edit: list{4, 5}, empty: list{},
		}.with("setOfNumbers", setOf(anInt)),
	}
	all = append(all, routes()...)
	all = append(all, nested(pairItem, items)...)
	for i := range all {
		all[i].parents = []string{"spec"}
		all[i].root = paths.Path{paths.Field("spec"), paths.Field(all[i].name)}
	}
	return all
}

func (s strategy) with(name string, shape shape) strategy {
	s.name, s.shape = name, shape
	return s
}

// routes returns lists by two keys, one of them with a default.
func routes() []strategy {
	fields := func(port shape) map[string]shape {
		return map[string]shape{"host": aString, "port": port, "weight": anInt}
	}
	route := func(host string, port, weight int) object {
		return object{"host": host, "port": port, "weight": weight}
	}
	short := func(host string, weight int) object { return object{"host": host, "weight": weight} }
	return []strategy{
		strategy{
			first:  list{route("a", 80, 1), route("a", 81, 2), route("d", 80, 4)},
			second: list{route("a", 80, 7), route("c", 80, 3), route("d", 80, 4)},
			edit:   list{route("a", 80, 9), route("d", 80, 4), route("x", 80, 5)},
			empty:  list{},
		}.with("keyedByTwo", keyedList(itemOf(fields(anInt), "host, port"), nil, "host", "port")),
		strategy{
			first:  list{short("a", 1), route("a", 81, 2), short("d", 4)},
			second: list{short("a", 7), short("c", 3), route("d", 80, 4)},
			edit:   list{short("a", 9), route("d", 80, 4), short("x", 5)},
			empty:  list{},
		}.with("keyedWithDefault", keyedList(itemOf(fields(anInt.withDefault(80)), "host"), object{"port": 80}, "host", "port")),
	}
}

// nested returns strategies within others.
func nested(pairItem shape, items strategy) []strategy {
	group := func(name, field string, value any) object { return object{"name": name, field: value} }
	groups := func(field string, content shape) shape {
		return keyedList(itemOf(map[string]shape{"name": aString, field: content}, "name"), nil, "name")
	}
	return []strategy{
		strategy{
			first:  list{group("left", "items", items.first), group("right", "items", items.first)},
			second: list{group("left", "items", items.second), group("new", "items", items.first)},
			edit:   list{group("left", "items", items.edit), group("right", "items", items.first)},
			empty:  list{},
		}.with("keyedInKeyed", groups("items", keyedList(pairItem, nil, "name"))),
		strategy{
			first:  list{group("left", "tags", list{"a", "b"}), group("right", "tags", list{"a"})},
			second: list{group("left", "tags", list{"b", "c"}), group("new", "tags", list{"a"})},
			edit:   list{group("left", "tags", list{"b", "x"}), group("right", "tags", list{"a"})},
			empty:  list{},
		}.with("setInKeyed", groups("tags", setOf(aString))),
		strategy{
			first:  object{"left": object{"a": "1", "b": "2"}, "right": object{"a": "1"}, "same": object{"d": "4"}},
			second: object{"left": object{"a": "7"}, "new": object{"c": "3"}, "same": object{"d": "4"}},
			edit:   object{"left": object{"a": "9", "b": "2"}, "right": object{"a": "1"}, "same": object{"d": "4"}, "x": object{"a": "5"}},
			empty:  object{},
		}.with("atomicInGranular", mapOf(atomicMap(aString))),
		strategy{
			first:  object{"deep": object{"a": 1, "b": "two"}, "list": list{1, "x"}, "same": true},
			second: object{"deep": object{"a": 7, "c": false}, "list": list{2}, "same": true},
			edit:   object{"deep": object{"a": 9, "b": "two", "x": 5}, "list": list{1, "x", "y"}, "same": true},
			empty:  object{},
		}.with("unknownFields", freeForm),
	}
}
