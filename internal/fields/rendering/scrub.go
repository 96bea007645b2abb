package rendering

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// telling is the length in bytes from which on Scrub also removes a value without quotes around it: shorter values may
// be ordinary words.
const telling = 8

// Secrets are the secret values of an object, as messages may quote them. The zero value has none.
type Secrets struct {
	forms map[string]struct{}
	// words are values that may be ordinary words: Scrub keeps them without quotes, and Tells looks for them.
	words map[string]struct{}
	// keys are the keys of maps below sensitive fields.
	keys map[string]struct{}
	// named are strings in which a value is no secret: the object's own name, for instance.
	named string
	// legible are the values that identify the object, if all of it is sensitive: messages have to name it.
	legible map[string]struct{}
}

// Secrets returns the secret values of objects, which are versions of one object. named are strings that
// messages have to keep.
func (r Renderer) Secrets(named string, objects ...map[string]any) Secrets {
	s := Secrets{
		forms: map[string]struct{}{}, words: map[string]struct{}{}, keys: map[string]struct{}{}, named: named,
		legible: map[string]struct{}{},
	}
	if !r.HasSecrets() {
		return s
	}
	if r.Sensitive.Start().Field("apiVersion").Matched() {
		for _, object := range objects {
			s.identify(object)
		}
	}
	for _, object := range objects {
		for name, value := range object {
			inSecret := r.Secret && manifest.IsSecretField(name)
			s.collect(r.Sensitive.Start().Field(name), inSecret, value)
		}
	}
	return s
}

// identify notes the values that identify an object.
func (s Secrets) identify(object map[string]any) {
	metadata, _ := object["metadata"].(map[string]any)
	for _, value := range []any{object["apiVersion"], object["kind"], metadata["name"], metadata["namespace"]} {
		if text, isText := value.(string); isText {
			s.legible[text] = struct{}{}
		}
	}
}

func (s Secrets) collect(at paths.Cursor, secret bool, value any) {
	secret = secret || at.Matched()
	if !secret && !at.Alive() {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for name, part := range value {
			if at.Matched() {
				s.addKey(name)
			}
			s.collect(at.Field(name), secret, part)
		}
	case []any:
		for i, item := range value {
			s.collect(at.Item(paths.Item{Index: i, Value: item}), secret, item)
		}
	case nil, bool:
	default:
		if secret {
			s.add(value)
		}
	}
}

func (s Secrets) add(value any) {
	text, isString := value.(string)
	if !isString {
		text = projection.JSON(value)
	}
	s.addValue(text)
	if plain, err := base64.StdEncoding.DecodeString(text); err == nil {
		s.addValue(string(plain))
	}
}

// addValue adds a value as a whole, each of its lines, and the forms in which a rule may write it.
func (s Secrets) addValue(text string) {
	s.addText(text)
	s.addText(strings.TrimSpace(text))
	s.addText(strings.Join(strings.Fields(text), " "))
	if lines := strings.Split(text, "\n"); len(lines) > 1 {
		for _, line := range lines {
			s.addText(strings.TrimSpace(line))
		}
	}
	if text == "" {
		return
	}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding,
		base64.RawURLEncoding} {
		s.addText(encoding.EncodeToString([]byte(text)))
	}
	hexadecimal := hex.EncodeToString([]byte(text))
	for _, form := range []string{hexadecimal, strings.ToUpper(hexadecimal), percentEncoded(text)} {
		s.addText(form)
	}
}

// percentEncoded returns a string as it is in the path of a URL.
func percentEncoded(text string) string {
	var encoded strings.Builder
	for _, b := range []byte(text) {
		isPlain := b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' ||
			strings.IndexByte("-_.~", b) >= 0
		if isPlain {
			encoded.WriteByte(b)
		} else {
			fmt.Fprintf(&encoded, "%%%02X", b)
		}
	}
	return encoded.String()
}

// addText adds a string in quotes of every kind, and without quotes if it is long enough.
func (s Secrets) addText(text string) {
	if _, isLegible := s.legible[text]; isLegible || text == "" {
		return
	}
	isWord := len(text) < telling || strings.Contains(s.named, text)
	quotedByJSON, _ := json.Marshal(text)
	for _, quoted := range []string{strconv.Quote(text), string(quotedByJSON), projection.JSON(text)} {
		// With \" around it, the value is quoted in a string that is itself quoted.
		inner := quoted[1 : len(quoted)-1]
		s.forms[quoted], s.forms[`\"`+inner+`\"`] = struct{}{}, struct{}{}
		if !isWord {
			s.forms[inner] = struct{}{}
		}
	}
	for _, form := range []string{"'%s'", "`%s`", "{%s}", "value: %s:", "[%s]", "=%s]"} {
		s.forms[fmt.Sprintf(form, text)] = struct{}{}
	}
	if isWord {
		s.words[text] = struct{}{}
		return
	}
	s.forms[text] = struct{}{}
}

// asGo matches a value as Go prints it, without quotes: "expected list, got &value.valueUnstructured{Value:1}".
var asGo = regexp.MustCompile(`got &\S*\{.*\}`)

// Scrub returns text without the values.
func (s Secrets) Scrub(text string) string {
	if len(s.forms) == 0 {
		return text
	}
	forms := make([]string, 0, len(s.forms))
	for form := range s.forms {
		forms = append(forms, form)
	}
	// A Replacer tries its strings in this order. If a short value begins a longer one, the rest of that would stay.
	slices.SortFunc(forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	replacements := make([]string, 0, 2*len(forms))
	for _, form := range forms {
		replacements = append(replacements, form, scrubbed(form))
	}
	text = s.withoutUnknownKeys(asGo.ReplaceAllString(text, "got "+Redacted))
	return s.withoutBeginnings(strings.NewReplacer(replacements...).Replace(text))
}

// scrubbed returns the replacement of a form; brackets stay.
func scrubbed(form string) string {
	switch {
	case strings.HasPrefix(form, "value: "):
		return "value: " + Redacted + ":"
	case strings.HasPrefix(form, "[") && strings.HasSuffix(form, "]"):
		return "[" + Redacted + "]"
	case strings.HasPrefix(form, "=") && strings.HasSuffix(form, "]"):
		return "=" + Redacted + "]"
	default:
		return Redacted
	}
}
