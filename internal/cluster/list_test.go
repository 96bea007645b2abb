package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// lister has objects 0 to count-1. A Continue is the number of the next one; the lists in expires fail, counted from 1.
type lister struct {
	Interface
	count   int
	expires []int
	limits  []int
	// most is how many objects an answer may have; 0 is no limit.
	most int
}

func (l *lister) List(_ context.Context, query ListQuery) (Page, error) {
	l.limits = append(l.limits, query.Limit)
	if slices.Contains(l.expires, len(l.limits)) {
		return Page{}, &Error{Reason: ReasonExpired, Object: query.Objects()}
	}
	if l.most > 0 && query.Limit > l.most {
		return Page{}, &Error{Reason: ReasonWrongAnswer, Object: query.Objects(), Details: &AnswerTooLargeError{}}
	}
	var page Page
	next, _ := strconv.Atoi(query.Continue)
	for ; next < l.count && len(page.Objects) < query.Limit; next++ {
		page.Objects = append(page.Objects, &unstructured.Unstructured{Object: map[string]any{"number": next}})
	}
	if next < l.count {
		page.Continue = fmt.Sprint(next)
	}
	return page, nil
}

func even(object *unstructured.Unstructured) (bool, error) {
	return object.Object["number"].(int)%2 == 0, nil
}

func TestListAll(t *testing.T) {
	t.Parallel()
	type result struct {
		Limits         []int
		Objects, First int
		Truncated      bool
	}
	for name, test := range map[string]struct {
		api  lister
		want Selection
		is   result
	}{
		"none":                          {want: Selection{}, is: result{Limits: []int{500}, First: -1}},
		"three pages":                   {api: lister{count: 1200}, is: result{Limits: []int{500, 500, 500}, Objects: 1200}},
		"pages that are too large":      {api: lister{count: 80, most: 62}, is: result{Limits: []int{500, 62, 62}, Objects: 80}},
		"a whole page":                  {api: lister{count: 500}, is: result{Limits: []int{500}, Objects: 500}},
		"a limit":                       {api: lister{count: 1200}, want: Selection{Limit: 600}, is: result{Limits: []int{500, 101}, Objects: 600, Truncated: true}},
		"a limit of all":                {api: lister{count: 600}, want: Selection{Limit: 600}, is: result{Limits: []int{500, 101}, Objects: 600}},
		"some":                          {api: lister{count: 1200}, want: Selection{Keep: even}, is: result{Limits: []int{500, 500, 500}, Objects: 600}},
		"some, up to a limit":           {api: lister{count: 1200}, want: Selection{Keep: even, Limit: 250}, is: result{Limits: []int{500, 500}, Objects: 250, Truncated: true}},
		"some, and a limit of them":     {api: lister{count: 500}, want: Selection{Keep: even, Limit: 250}, is: result{Limits: []int{500}, Objects: 250}},
		"a list that expires":           {api: lister{count: 1200, expires: []int{3}}, is: result{Limits: []int{500, 500, 500, 500, 500, 500}, Objects: 1200}},
		"a list that expires twice":     {api: lister{count: 600, expires: []int{2, 4}}, is: result{Limits: []int{500, 500, 500, 500, 500, 500}, Objects: 600}},
		"a list that expires each time": {api: lister{count: 600, expires: []int{2, 4, 6}}, is: result{Limits: []int{500, 500, 500, 500, 500, 500}, First: -1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			selected, err := ListAll(t.Context(), &test.api, ListQuery{APIVersion: "v1", Kind: "ConfigMap"}, test.want)
			if got := ReasonOf(err) == ReasonExpired; got != (len(test.api.expires) == mostStarts) {
				t.Fatalf("the error is %v", err)
			}
			got := result{Limits: test.api.limits, Objects: len(selected.Objects), First: -1, Truncated: selected.Truncated}
			if len(selected.Objects) > 0 {
				got.First = selected.Objects[0].Object["number"].(int)
			}
			if diff := cmp.Diff(test.is, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestListAllEndsWhereKeepFails(t *testing.T) {
	t.Parallel()
	odd := errors.New("odd")
	_, err := ListAll(
		t.Context(),
		&lister{count: 3},
		ListQuery{},
		Selection{Keep: func(*unstructured.Unstructured) (bool, error) { return false, odd }},
	)
	if !errors.Is(err, odd) {
		t.Errorf("the error is %v", err)
	}
}

// A list of which not even one object can be read fails.
func TestListAllOfObjectsThatAreTooLarge(t *testing.T) {
	t.Parallel()
	api := &tooLargeLister{}
	_, err := ListAll(t.Context(), api, ListQuery{}, Selection{})
	if _, is := errors.AsType[*AnswerTooLargeError](err); !is || !slices.Equal(api.limits, []int{500, 62, 7, 1}) {
		t.Errorf("asked for %v, got %v", api.limits, err)
	}
}

// tooLargeLister answers with too much, whatever it is asked for.
type tooLargeLister struct{ lister }

func (l *tooLargeLister) List(_ context.Context, query ListQuery) (Page, error) {
	l.limits = append(l.limits, query.Limit)
	return Page{}, &Error{Reason: ReasonWrongAnswer, Object: query.Objects(), Details: &AnswerTooLargeError{}}
}

// A list that does not end fails, whether its pages have objects or not.
func TestListAllOfAServerWithoutAnEnd(t *testing.T) {
	t.Parallel()
	for name, objects := range map[string][]*unstructured.Unstructured{"objects": make([]*unstructured.Unstructured, PageSize), "no objects": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := &endlessLister{objects: objects}
			_, err := ListAll(t.Context(), api, ListQuery{}, Selection{Keep: func(*unstructured.Unstructured) (bool, error) { return false, nil }})
			if ReasonOf(err) != ReasonWrongAnswer || api.pages != mostAsked/PageSize {
				t.Errorf("after %d pages: %v", api.pages, err)
			}
		})
	}
}

// endlessLister continues each page.
type endlessLister struct {
	Interface
	objects []*unstructured.Unstructured
	pages   int
}

func (l *endlessLister) List(context.Context, ListQuery) (Page, error) {
	l.pages++
	return Page{Objects: l.objects, Continue: "more"}, nil
}
