package manifest_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Each mistake is told with its own line and column, and with what to write instead.
func TestMistakes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want, next string }{
		"an alias":                          {"a: 1\npassword: *hunter2\nb: 2\n", "2:11 the anchor of an alias is unknown", "begins with *"},
		"an alias with other characters":    {"password: *$hunter2\n", "1:11 the anchor of an alias is unknown", "begins with *"},
		"an alias after <<":                 {"a: 1\n<<: *hunter2\n", "2:5 the anchor of an alias is unknown", "begins with *"},
		"an alias in a list":                {"a: [1, *b]\n", "1:8 the anchor of an alias is unknown", "begins with *"},
		"an anchor without a name":          {"a: 1\nb: &\n", "2:5 an anchor or an alias has no name", "begins with & or *"},
		"an anchor that contains itself":    {"a: 1\nb: &x {c: *x}\n", "2:11 an anchor contains itself", "begins with *"},
		"text after quotes":                 {"a: 1\nb:\n  c: \"x\"hunter2\n  d: 2\n", "3:9 a key is expected here", "quotes of the other kind"},
		"quotes within quotes":              {"a: 1\nb: 'it's'\n", "2:8 a key is expected here", "quotes of the other kind"},
		"a key that is indented too far":    {"a: 1\nb:\n  c: \"x\"\n   d: 2\n", "4:4 a key is expected here", "Indent each key"},
		"a key that is indented too little": {"a: 1\nb:\n  c: 1\n d: 2\n", "4:2 a key is expected here", "Indent each key"},
		"an item of a list in a map":        {"a: 1\n- b\n", "2:1 a key is expected here", "Indent each key"},
		"a quote that is not closed":        {"a: 1\nb: \"x\nc: 2\n", "2:4 a quote is not closed", "Close the quotes"},
		"a quote before another one":        {"a: 1\nb: \"x\nc: 2\nd: \"y\"\n", "2:4 a value in quotes ends on a later line", "Close the quotes"},
		"a list that is not closed":         {"a: 1\nb: [1, 2\nc: 3\n", "2:4 the list or map that begins here is not closed", "Close it"},
		"a list at the end":                 {"a: 1\nb: [1,\n\n", "2:4 the list or map that begins here is not closed", "Close it"},
		"a map at the end":                  {"a: 1\nb: [1, {c:\n", "2:8 the list or map that begins here is not closed", "Close it"},
		"a list without a comma":            {"a: 1\nb: [1,\n  {c: d} 2,\n  3]\n", "3:10 a comma or ] is missing in the list that begins at line 2, column 4", "Close the list"},
		"a value that begins with ]":        {"a: 1\nb: ]\n", "2:4 a value is expected here", "begins with one of"},
		"a value that begins with @":        {"a: 1\nb: @hunter2\n", "2:4 no value may begin with @", "begins with @ in quotes"},
		"a value that begins with `":        {"a: 1\nb: `hunter2\n", "2:4 no value may begin with `", "begins with ` in quotes"},
		"a value that begins with %":        {"a: 1\nb: %hunter2\n", "2:4 no value may begin with %", "begins with % in quotes"},
		"a value that begins with |":        {"a: 1\nb: |hunter2\n", "2:5 the line should end here", "begins with | or >"},
		"a value that begins with !":        {"a: 1\nb: !h!unter2\n", "2:4 a tag is not valid", "begins with !"},
		"a value that begins with -":        {"a: 1\nb: - hunter2\n", "2:4 there may be no item of a list here", "begins with -"},
		"a value that begins with ?":        {"a: 1\nb: ? hunter2\n", "2:4 there may be no key here", "begins with ?"},
		"a value with a colon":              {"a: 1\nb: hunter2: x\n", "2:11 there may be no colon here", "a colon and a blank"},
		"a line without a colon":            {"a: 1\nhunter2\nb: 2\n", "2:1 a line has no colon after its key", "key: value"},
		"a colon without a blank":           {"a:hunter2\nb: 2\n", "1:1 a line has no colon after its key", "key: value"},
		"a tab":                             {"a: 1\nb:\n\tc: 1\n", "3:1 a tab indents a line", "spaces"},
		"an escape":                         {"a: 1\nb: \"hunter\\2\"\n", "2:11 double quotes have a backslash", "single quotes"},
		"a directive":                       {"%hunter2 x\n---\na: 1\n", "1:1 a line that begins with % is not a directive", "Begin no line with %"},
		"a number in a tag":                 {"a: 1\nb: !!int hunter2\n", "2:4 a value does not fit its tag", "Remove the tag"},
		"a float in a tag":                  {"a: 1\nb: !!float hunter2\n", "2:4 a value does not fit its tag", "Remove the tag"},
		"a time in a tag":                   {"a: 1\nb: !!timestamp hunter2\n", "2:4 a value does not fit its tag", "Remove the tag"},
		"no base64 in a tag":                {"a: 1\nb: !!binary hunter2!\n", "2:4 a value of the tag !!binary is not base64", "Remove the tag"},
		"no map after <<":                   {"a: 1\n<<: hunter2\n", "2:5 << is followed by something else than a map", "after <<"},
		"a control character":               {"a: 1\nb: hunter\x012\n", "2:10 a control character", "Remove it"},
		"no UTF-8":                          {"a: 1\nb: hunter\xff\n", "2:10 the text is not UTF-8", "UTF-8"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := manifest.Parse(tt.text)
			if err == nil {
				t.Fatal("no error")
			}
			place, rest, _ := strings.Cut(tt.want, " ")
			line, column, _ := strings.Cut(place, ":")
			if want := fmt.Sprintf("the text is not valid YAML: line %s, column %s: %s", line, column, rest); !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), tt.next) {
				t.Errorf("got %q, want %q and then %q", err, want, tt.next)
			}
			if strings.Contains(err.Error(), "hunter") {
				t.Errorf("the error quotes the text: %v", err)
			}
			shifted, _ := manifest.ParseAll("a: 1\n---\n\n" + tt.text)
			if _, err := manifest.ParseAll("{apiVersion: v1, kind: A, metadata: {name: a}}\n---\n\n" + tt.text); shifted != nil || err == nil ||
				!strings.HasPrefix(tt.text, "%") && !strings.Contains(err.Error(), "line "+plus(line, 3)+", column "+column) {
				t.Errorf("as the second document: %v", err)
			}
		})
	}
}

func plus(line string, more int) string {
	var number int
	_, _ = fmt.Sscan(line, &number)
	return fmt.Sprint(number + more)
}

// The messages of the YAML libraries are known: no mistake is told without its kind.
func TestEachMistakeHasAKind(t *testing.T) {
	t.Parallel()
	whole := regexp.MustCompile(`valid YAML(: line \d+, column \d+)?\. `)
	for _, text := range brokenTexts("hunter2-token") {
		if _, err := manifest.Parse(text); err != nil && whole.MatchString(err.Error()) {
			t.Errorf("%q has only a place: %v", text, err)
		}
	}
}

// planted are ways to write a value wrongly: each %s is the same token.
var planted = []string{
	"*%s", "&%s", "&a *%s", "*%s: a", "!%s", "!!%s", "!!int %s", "!!float %s", "!!timestamp %s", "!!bool %s", "!!null %s", "!!binary %s!", "!<%s", "!%s!a b",
	"%%%s", "@%s", "`%s", "|%s", ">-%s", "|\n%s", "\"%s", "'%s", "\"%s\"%s", "'%s'%s", "\"\\%s\"", "\"\\x%s\"", "\"\\u%s\"", "[%s", "{%s", "{%s: %s", "[%s, ]]", "{a: %s}}",
	"%s: %s: %s", "%s:\n%s: 1\n\t%s: 2", "- %s", "? %s", "# %s\n\t- a", "%s\n%s", "{<<: %s}", "{<<: [%s]}", "{<<: *%s}", "{%s: 1, %s: 2}", "\n  %s: 1\n  %s: 2", "\n  %s: 1\n %s: 2",
	"%s\x01", "%s\xff", "{%s: .nan}", ".inf %s", "[%s: %s: %s]", "{? [%s] : a}", "{? {%s: a} : b}", "{~: %s}", "%s}", "%s]", "\n- %s\n%s: 1", "1e%s", "0x%s", "&a [*a, %s]",
	"\n%%%s", "\n---%s", "\n--- %s", "\n...%s", "{a: &%s b, c: *%s-}", "!!set {%s}", "!!omap [%s]", "%s.yaml", "{%s.yaml", "!!map %s", "{!!int %s: a}", "{!!timestamp %s: b}", "{1.5: %s}",
}

// brokenTexts returns manifests with a token in wrong places.
func brokenTexts(token string) []string {
	var all []string
	for _, value := range planted {
		value = fmt.Sprintf(value, anys(token, strings.Count(strings.ReplaceAll(value, "%%", ""), "%s"))...)
		for _, around := range []string{
			"VALUE", "VALUE\n" + secret, secret + "VALUE\n", secret + "data: VALUE\n", secret + "stringData:\n  a: b\n  password: VALUE\n  c: d\n",
			"apiVersion: VALUE\nkind: Secret\nmetadata: {name: a}\n", "apiVersion: v1\nkind: VALUE\nmetadata: {name: a}\n",
			"apiVersion: v1\nkind: Secret\nmetadata: VALUE\n", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: VALUE\n", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  namespace: VALUE\n",
			"apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  uid: VALUE\n", "apiVersion: v1\nkind: List\nitems:\n- VALUE\n- a\n", "apiVersion: v1\nkind: List\nitems: VALUE\n",
			`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"stringData":{"a":VALUE}}`, secret + "---\nVALUE\n---\n" + secret, "---\n# VALUE\n" + secret + "data: VALUE\n",
		} {
			all = append(all, strings.ReplaceAll(around, "VALUE", value))
		}
	}
	return all
}

const secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n"

func anys(token string, count int) []any {
	all := make([]any, count)
	for i := range all {
		all[i] = token
	}
	return all
}

// parsers are the functions that read texts of users.
var parsers = map[string]func(text string) error{
	"Parse":        func(text string) error { _, err := manifest.Parse(text); return err },
	"ParseAll":     func(text string) error { _, err := manifest.ParseAll(text); return err },
	"ParsePartial": func(text string) error { _, err := manifest.ParsePartial(text); return err },
	"CheckPart":    manifest.CheckPart,
	"ParsePart": func(text string) error {
		_, err := manifest.ParsePart(text, manifest.Identity{APIVersion: "v1", Kind: "Secret", Name: "a"})
		return err
	},
	"Decode": func(text string) error { _, err := manifest.Decode(text); return err },
}

// legible is where an error may have a token: as the kind of an object that contains others, and as the path of a field.
var legible = regexp.MustCompile(`the document is a \S+List, which contains other objects|\S+ is a directive of strategic merge patches`)

// No error has a word of a text that is not a manifest.
func TestErrorsDoNotQuote(t *testing.T) {
	t.Parallel()
	const token = "hunter2-token"
	failed := map[string]int{}
	for _, text := range brokenTexts(token) {
		for name, parse := range parsers {
			err := parse(text)
			if err == nil {
				continue
			}
			failed[name]++
			if strings.Contains(legible.ReplaceAllString(err.Error(), ""), "hunter2") {
				t.Errorf("%s quotes %q: %v", name, text, err)
			}
		}
	}
	for name := range parsers {
		if failed[name] < 300 {
			t.Errorf("%s failed for %d texts only", name, failed[name])
		}
	}
	if diff := cmp.Diff(6, len(failed)); diff != "" {
		t.Error(diff)
	}
}

// FuzzErrorsDoNotQuote plants a token at any place of a text and breaks the text at another one.
func FuzzErrorsDoNotQuote(f *testing.F) {
	for i, text := range []string{
		secret + "stringData:\n  a: b\n  c: \"d\"\n", secret + "data: {a: [b, 'c'], d: |\n  e}\n", "a: &x {b: c}\nd: *x\n<<: *x\n", `{"a": {"b": ["c", 1]}}`,
	} {
		for j, broken := range []string{"*", "&", "!", "!!int ", "%", "@", "`", "\t", "\"", "'", "[", "{", ": ", "\n", "- ", "? ", "\\", "|", "---\n", "<<: "} {
			f.Add(text, uint(i*7+j*3), broken, uint(j*5))
		}
	}
	const token = "Zq8hunter2Zq"
	f.Fuzz(func(t *testing.T, text string, at uint, broken string, where uint) {
		if len(text) > 4096 || len(broken) > 64 {
			return
		}
		i, j := int(at%uint(len(text)+1)), int(where%uint(len(text)+1))
		text = text[:min(i, j)] + broken + text[min(i, j):max(i, j)] + token + text[max(i, j):]
		for name, parse := range parsers {
			if err := parse(text); err != nil && strings.Contains(legible.ReplaceAllString(err.Error(), ""), token) {
				t.Errorf("%s quotes %q: %v", name, text, err)
			}
		}
	})
}
