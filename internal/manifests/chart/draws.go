package chart

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/Masterminds/sprig/v3"
)

// drawers are the functions of templates that return something else each time.
var drawers = []string{
	"randAlphaNum", "randAlpha", "randAscii", "randNumeric", "randBytes", "randInt", "shuffle", "uuidv4", "now",
	"bcrypt", "htpasswd", "encryptAES", "genPrivateKey", "genCA", "genCAWithKey", "genSelfSignedCert",
	"genSelfSignedCertWithKey", "genSignedCert", "genSignedCertWithKey",
}

// draw is one call of one of these functions in a rendering: the first of randAlphaNum, for instance.
type draw struct {
	function string
	number   int
}

// draws are those of one rendering.
type draws struct {
	// kept are the results that draws have to have.
	kept map[draw]reflect.Value
	// unlike are the draws of another rendering, from which these differ if they can; nil for any.
	unlike *draws
	// drawn are the results, and made the calls.
	drawn map[draw]reflect.Value
	made  map[draw]call
	calls map[string]int
	// failed is the first list or string that is too large.
	failed error
}

func newDraws(kept map[draw]reflect.Value, unlike *draws) *draws {
	return &draws{
		kept: kept, unlike: unlike, drawn: map[draw]reflect.Value{}, made: map[draw]call{}, calls: map[string]int{},
	}
}

// aYear is how much later the second rendering is. Every part of a date is another one then.
const aYear = (365+31+1)*24*time.Hour + time.Hour + time.Minute + time.Second

// attempts is how often a draw is repeated that has the result of another rendering: a number of two, for instance.
const attempts = 32

// functions returns the functions of templates that draw, those whose results are limited in size, and those whose
// results have any order in Helm.
func (d *draws) functions() template.FuncMap {
	known := sprig.TxtFuncMap()
	known["now"] = func() time.Time {
		if d.unlike != nil {
			return time.Now().Add(aYear)
		}
		return time.Now()
	}
	own := template.FuncMap{
		"until": func(count int) ([]int, error) {
			if count < 0 {
				return d.list(0, count, -1)
			}
			return d.list(0, count, 1)
		},
		"untilStep": func(start, stop, step int) ([]int, error) {
			return d.list(start, stop, step)
		},
		"repeat": d.repeat,
		"keys":   sortedKeys,
		"values": sortedValues,
	}
	for _, name := range drawers {
		function := reflect.ValueOf(known[name])
		own[name] = reflect.MakeFunc(function.Type(), func(args []reflect.Value) []reflect.Value {
			return d.draw(name, function, args)
		}).Interface()
	}
	return own
}

// draw calls a function, or returns what it has to return.
func (d *draws) draw(name string, function reflect.Value, args []reflect.Value) []reflect.Value {
	d.calls[name]++
	at := draw{name, d.calls[name]}
	d.made[at] = call{function, args}
	if kept, is := d.kept[at]; is {
		d.drawn[at] = kept
		results := []reflect.Value{kept}
		if function.Type().NumOut() > 1 {
			results = append(results, reflect.Zero(function.Type().Out(1)))
		}
		return results
	}
	var results []reflect.Value
	for range attempts {
		results = d.made[at].results()
		if d.unlike == nil {
			break
		}
		if other, is := d.unlike.drawn[at]; !is || fmt.Sprint(other) != fmt.Sprint(results[0]) {
			break
		}
	}
	d.drawn[at] = results[0]
	return results
}

// call is the call of a function that draws.
type call struct {
	function reflect.Value
	args     []reflect.Value
}

func (c call) results() []reflect.Value {
	if c.function.Type().IsVariadic() {
		return c.function.CallSlice(c.args)
	}
	return c.function.Call(c.args)
}

func (c call) isLike(other call) bool {
	return slices.EqualFunc(c.args, other.args, func(a, b reflect.Value) bool {
		return reflect.DeepEqual(a.Interface(), b.Interface())
	})
}

// mostMade is how many numbers a list that a template makes may contain, and how many bytes a string.
const mostMade = 1 << 20

func (d *draws) list(start, stop, step int) ([]int, error) {
	list := []int{}
	if step == 0 || stop > start != (step > 0) {
		return list, nil
	}
	if count := (stop - start) / step; count > mostMade {
		return nil, d.tooLarge("a list of %d numbers", count)
	}
	for n := start; n < stop == (step > 0) && n != stop; n += step {
		list = append(list, n)
	}
	return list, nil
}

func sortedKeys(dicts ...map[string]any) []string {
	all := []string{}
	for _, dict := range dicts {
		all = append(all, slices.Sorted(maps.Keys(dict))...)
	}
	return all
}

func sortedValues(dict map[string]any) []any {
	all := []any{}
	for _, key := range sortedKeys(dict) {
		all = append(all, dict[key])
	}
	return all
}

func (d *draws) repeat(count int, text string) (string, error) {
	if count < 0 {
		count = 0
	}
	if count > mostMade || count*len(text) > mostMade {
		return "", d.tooLarge("a text of %d copies", count)
	}
	return strings.Repeat(text, count), nil
}

func (d *draws) tooLarge(what string, count int) error {
	err := &TemplateError{Problem: fmt.Sprintf("a template makes "+what+", more than %d", count, mostMade)}
	if d.failed == nil {
		d.failed = err
	}
	return err
}

// part is a string of a draw: its result, or the certificate or the key of it.
type part struct {
	draw
	// field is that of a certificate; "" for the result itself.
	field string
	// text is that of one rendering, and other that of another one.
	text, other string
}

// parts returns the strings of all draws, together with those of another rendering.
func (d *draws) parts(other *draws) []part {
	var all []part
	for at, result := range d.drawn {
		texts, others := textsOf(result), textsOf(other.drawn[at])
		for field, text := range texts {
			all = append(all, part{at, field, text, others[field]})
		}
	}
	return all
}

func (d *draws) texts() []string {
	var texts []string
	for _, result := range d.drawn {
		texts = slices.AppendSeq(texts, maps.Values(textsOf(result)))
	}
	return texts
}

// with returns the result of a draw with another string; false if the result cannot have it.
func (p part) with(text string, result reflect.Value) (reflect.Value, bool) {
	changed := reflect.New(result.Type()).Elem()
	changed.Set(result)
	switch {
	case p.field != "":
		changed.FieldByName(p.field).SetString(text)
	case result.Kind() == reflect.String:
		changed.SetString(text)
	default:
		var number int64
		if _, err := fmt.Sscan(text, &number); err != nil || fmt.Sprint(number) != text {
			return changed, false
		}
		changed.SetInt(number)
	}
	return changed, true
}
