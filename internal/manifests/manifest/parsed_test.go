package manifest

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func textOfSize(number, size int) string {
	return fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: n%d\ndata:\n  a: %s\n", number, strings.Repeat("x", size))
}

// cached returns the numbers of the texts that a cache has, without asking it, which would keep them.
func cached(c *cache, texts []string) []int {
	var has []int
	for i, text := range texts {
		_, isYounger := c.younger[text]
		_, isOlder := c.older[text]
		if isYounger || isOlder {
			has = append(has, i)
		}
	}
	return has
}

// A cache keeps what is asked for, and never more than twice its limit.
func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	texts := make([]string, 8)
	for i := range texts {
		texts[i] = textOfSize(i, 100)
	}
	c := cache{limit: 2 * len(texts[0])}
	add := func(i int) {
		m, err := parse(texts[i])
		if err != nil {
			t.Fatal(err)
		}
		c.add(m)
	}
	for i := range 4 {
		add(i)
	}
	if diff := cmp.Diff([]int{0, 1, 2, 3}, cached(&c, texts)); diff != "" {
		t.Errorf("two generations (-want +got):\n%s", diff)
	}
	if m, has := c.get(texts[0]); !has || m.Name != "n0" {
		t.Errorf("the first manifest is %v: %v", m, has)
	}
	add(4)
	if diff := cmp.Diff([]int{0, 2, 3, 4}, cached(&c, texts)); diff != "" {
		t.Errorf("what was not asked for goes first (-want +got):\n%s", diff)
	}
	texts[5] = textOfSize(5, 1000)
	if add(5); len(cached(&c, texts[5:])) > 0 {
		t.Error("a text that is longer than the limit is kept")
	}
	for i := range 100 {
		add(i % 5)
		if c.size > c.limit || len(c.younger)+len(c.older) > 4 {
			t.Fatalf("the cache has %d bytes in its younger generation, and %d manifests", c.size, len(c.younger)+len(c.older))
		}
	}
}

// All who parse a string get the same object, also at the same time, and what they derive from it does not change it.
func TestParsedIsShared(t *testing.T) {
	t.Parallel()
	const text = "apiVersion: v1\nkind: Secret\nmetadata: {name: shared, creationTimestamp: null}\nstringData: {a: b}\ndata: {c: ZA==}\n"
	want, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			m, err := Parse(text)
			if err != nil {
				t.Error(err)
				return
			}
			Identified(m.Object, Identity{APIVersion: "v1", Kind: "Secret", Namespace: "elsewhere", Name: "other"})
			if _, err := m.In("elsewhere"); err != nil {
				t.Error(err)
			}
			part := Partial{"stringData": map[string]any{"c": "e"}, "metadata": map[string]any{"labels": map[string]any{"f": "g"}}}
			if _, _, err := m.Overlay(part); err != nil {
				t.Error(err)
			}
			if _, err := Of(m.Object); err != nil {
				t.Error(err)
			}
			if _, err := PartOf(m.Object, m.Identity); err != nil {
				t.Error(err)
			}
			StringDataAsData(m.Object)
		})
	}
	all.Wait()
	got, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the manifest has changed (-parsed +shared):\n%s", diff)
	}
	first, _ := Parse(text)
	if first.Object["again"] = true; got.Object["again"] != true {
		t.Error("each Parse copies the object")
	}
	delete(first.Object, "again")
}
