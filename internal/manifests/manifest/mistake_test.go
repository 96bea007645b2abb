package manifest_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Each mistake is told with its own line and column; six kinds also with what they are and what to write instead.
func TestMistakes(t *testing.T) {
	t.Parallel()
	const (
		broken   = " is not valid YAML"
		general  = broken + ". Correct the text. Values with special characters need quotes; yamlencode({...}) always writes valid YAML."
		tab      = broken + ": a tab is where YAML needs spaces. Indent with spaces only."
		indented = broken + ": the line is not indented as the others of its map or list. Indent all keys of a map, and all items of a list, with the same number of spaces."
		quote    = broken + ": the quote that begins there is not closed at the end of its value. Close it. Put a value that has quotes in it in quotes of the other kind."
		braces   = broken + ": these braces are of a template that was not rendered. Render it first, with templatefile(...) or the data source helm_template for example, or put the value in quotes."
		many     = "the text contains 2 documents. Write each object by itself: provider::k8sconnect::documents(...) gives them, for for_each or for manifests of k8sconnect_manifests."
		twice    = " repeats a key of its map. Remove one of them."
	)
	tests := map[string]struct {
		text         string
		line, column int
		says         string
	}{
		"a tab":                             {"a: 1\nb:\n\tc: 1\n", 3, 1, tab},
		"a tab behind spaces":               {"a:\n  \tb: 1\n", 2, 3, tab},
		"a tab behind a value":              {"a:\n  b: 1\n\tc: 2\n", 3, 1, tab},
		"a tab in a block of text":          {"a: |\n\tx\n", 2, 1, tab},
		"a key that is indented too far":    {"a: 1\nb:\n  c: \"x\"\n   d: 2\n", 4, 4, indented},
		"a key below a value":               {"b:\n  c: é\n   hunter2: 2\n", 3, 4, indented},
		"a key that is indented too little": {"a: 1\nb:\n  c: 1\n d: 2\n", 4, 2, indented},
		"a first key that is indented":      {"  a: 1\nb: 2\n", 2, 1, indented},
		"a key of an item":                  {"b:\n  - name: a\n  image: b\n", 3, 3, indented},
		"an item":                           {"b:\n    - c\n  - d\n", 3, 3, indented},
		"a key in a second document":        {secret + "---\nc: d\n b: 2\n", 6, 2, indented},
		"a quote that is not closed":        {"a: 1\nb: \"hunter2\nc: 2\n", 2, 4, quote},
		"a quote before another one":        {"a: 1\nb: \"x\nc: 2\nd: \"y\"\n", 2, 4, quote},
		"a quote before a document":         {"a: 'x\n---\nb: 1\n", 1, 4, quote},
		"a key twice":                       {"a: {b: 1, b: hunter2}\n", 1, 11, twice},
		"a template as a value":             {"a: é\nb: {{ .hunter2 }}\n", 2, 4, braces},
		"a template before a text":          {"b: {{ .hunter2 }}-web\n", 1, 4, braces},
		"a template with quotes":            {"b: {{ include \"hunter2\" . }}\n", 1, 4, braces},
		"a template as a line":              {"m:\n  {{- if .hunter2 }}\n  a: b\n", 2, 3, braces},
		"a template as a map":               {"m:\n  a: b\n  {{ toYaml . | nindent 4 }}\n  c: d\n", 3, 3, braces},
		"a template of Jinja":               {"a: b\n{% if hunter2 %}\n", 2, 1, braces},
		"several documents":                 {secret + "---\n" + secret, 0, 0, many},
		"an alias":                          {"a: 1\npassword: *hunter2\nb: 2\n", 2, 11, general},
		"an anchor that contains itself":    {"a: 1\nb: &x {c: *x}\n", 2, 11, general},
		"text after quotes":                 {"a: 1\nb:\n  c: \"x\"hunter2\n  d: 2\n", 3, 9, general},
		"quotes within quotes":              {"a: 1\nb: 'it's'\n", 2, 8, general},
		"an item of a list in a map":        {"a: 1\n- b\n", 2, 1, general},
		"a list that is not closed":         {"a: 1\nb: [1, 2\nc: 3\n", 3, 2, strings.Replace(general, ".", ": the [ of line LINE, column 4 is not closed, or a comma is missing.", 1)},
		"a list at the end":                 {"a: 1\nb: [1,\n\n", 2, 7, general},
		"a list at the end of a line":       {"a: [", 1, 5, general},
		"a value that begins with @":        {"a: 1\nb: @hunter2\n", 2, 4, general},
		"a value that begins with |":        {"a: 1\nb: |hunter2\n", 2, 5, general},
		"a value with a colon":              {"a: 1\nb: hunter2: x\n", 2, 11, general},
		"a line without a colon":            {"a: 1\nhunter2\nb: 2\n", 2, 1, general},
		"a colon without a blank":           {"a:hunter2\nb: 2\n", 1, 1, general},
		"the same in a second document":     {secret + "---\na:hunter2\nb: 2\n", 5, 1, general},
		"an escape":                         {"a: 1\nb: \"hunter\\2\"\n", 2, 11, general},
		"a directive":                       {"%hunter2 x\n---\na: 1\n", 1, 1, general},
		"a number in a tag":                 {"a: &x {b: c}\nd: {<<: *x}\nb: !!int hunter2\n", 3, 4, general},
		"no base64 in a tag":                {"a: 1\nb: !!binary hunter2!\n", 2, 4, general},
		"no map after <<":                   {"a: 1\n<<: hunter2\n", 2, 1, general},
		"an alias behind a comment":         {"a: [1]# é\nb: *hunter2\n", 2, 4, general},
		"a control character":               {strings.Repeat("é: \"é\"\n", 2000) + "b: hunter\x012\n", 2001, 10, general},
		"a mark between two files":          {"a: 1\n\ufeff---\nb: 1\n", 2, 1, broken + ": a byte order mark is in the middle of the text. Remove it."},
		"a key that an alias repeats":       {"\na: &n x\nb: {*n : 1, x: hunter2}\n", 3, 13, " repeats a key of line LINE. Remove one of them."},
		"no UTF-8":                          {"a: 1\nb: hunter\xff\n", 2, 10, general},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sentence := func(before int) string {
				if tt.line == 0 {
					return tt.says
				}
				return fmt.Sprintf("line %d, column %d", before+tt.line, tt.column) + strings.Replace(tt.says, "LINE", fmt.Sprint(before+2), 1)
			}
			_, err := manifest.Parse(tt.text)
			if err == nil || err.Error() != sentence(0) {
				t.Errorf("got %v, want %s", err, sentence(0))
			}
			_, err = manifest.ParseAll(secret + "---\n\n" + tt.text)
			if tt.line > 0 && name != "a directive" && (err == nil || !regexp.MustCompile(`^document \d \(line \d+\): `+regexp.QuoteMeta(sentence(5))+"$").MatchString(err.Error())) {
				t.Errorf("as the second document: %v", err)
			}
		})
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
