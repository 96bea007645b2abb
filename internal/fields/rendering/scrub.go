package rendering

import (
	"archive/zip"
	"cmp"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// telling is the length in bytes from which on a value counts wherever it is: shorter values may be ordinary words.
const telling = 8

// Secrets are the secret values of an object, plain, in base64 and as JSON escapes them. The zero value has none.
type Secrets struct {
	// texts are values of some length, the longest first: a shorter one may begin a longer one. words are the others.
	texts, words []string
	// stored are the values as they are in the object.
	stored []string
}

// Secrets returns the secret values of objects, which are versions of one object. named has words that messages
// have to keep: the object's own name, for instance.
func (r Renderer) Secrets(named string, objects ...map[string]any) Secrets {
	var s Secrets
	if !r.HasSecrets() {
		return s
	}
	kept := append(strings.FieldsFunc(named, func(c rune) bool { return strings.ContainsRune(" /()", c) }), ordinary...)
	forms := map[string]struct{}{}
	for _, object := range objects {
		for name, value := range object {
			if metadata, is := value.(map[string]any); is && name == "metadata" {
				value = without(metadata, "managedFields") // Who owns a field is never a secret.
			}
			isSecret := r.Secret && manifest.IsSecretField(name)
			r.eachSecret(r.Sensitive.Start().Field(name), isSecret, value, func(text string) {
				if !slices.Contains(kept, text) {
					s.stored = append(s.stored, text)
				}
				for _, form := range append(quotedForms(text), strings.Join(strings.Fields(text), " ")) {
					forms[form] = struct{}{}
				}
			})
		}
	}
	for form := range forms {
		switch {
		case form == "" || slices.Contains(kept, form):
		case len(form) < telling || strings.Contains(named, form):
			s.words = append(s.words, form)
		default:
			s.texts = append(s.texts, form)
		}
	}
	for _, all := range [][]string{s.texts, s.words} {
		slices.SortFunc(all, longestFirst)
	}
	return s
}

func without(object map[string]any, key string) map[string]any {
	rest := maps.Clone(object)
	delete(rest, key)
	return rest
}

func longestFirst(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }

// Scrub returns a message of a controller or a container without the values. Values of less than 8 bytes are removed
// only if they are whole words.
func (s Secrets) Scrub(text string) string {
	text = s.withoutBeginning(s.ScrubLong(text))
	for _, word := range s.words {
		text = withoutWord(text, word)
	}
	return text
}

// ScrubLong returns text without the values of 8 bytes and more.
func (s Secrets) ScrubLong(text string) string {
	for _, value := range s.texts {
		text = strings.ReplaceAll(text, value, Redacted)
	}
	return text
}

// withoutBeginning returns a string without the beginning of a value at the place where the string was cut.
func (s Secrets) withoutBeginning(text string) string {
	said, wasCut := strings.CutSuffix(text, "...")
	for _, value := range s.texts {
		for length := min(len(value), len(said)); wasCut && length >= 3; length-- {
			if strings.HasSuffix(said, value[:length]) {
				return said[:len(said)-length] + Redacted + "..."
			}
		}
	}
	return text
}

// withoutWord returns a string without a word of its own.
func withoutWord(text, word string) string {
	var clean strings.Builder
	rest := text
	for {
		before, after, found := strings.Cut(rest, word)
		if !found {
			clean.WriteString(rest)
			return clean.String()
		}
		clean.WriteString(before)
		last, _ := utf8.DecodeLastRuneInString(clean.String())
		next, _ := utf8.DecodeRuneInString(after)
		if isInWord(last) || isInWord(next) {
			clean.WriteString(word)
		} else {
			clean.WriteString(Redacted)
		}
		rest = after
	}
}

func isInWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

const (
	// largestUnpacked is the maximum size in bytes of an unpacked string; the API server takes no larger object.
	largestUnpacked = 3 << 20
	// tooLarge is the result of unpacked for a string that is larger.
	tooLarge = "\x00too large"
)

// unpacked returns a string, and its decoded content if it is base64 or compressed, or both.
func unpacked(text string) []string {
	views := []string{text}
	// A Helm release in a Secret is compressed JSON, in base64 twice.
	for range 3 {
		inner, is := unpack(views[len(views)-1])
		if !is {
			break
		}
		views = append(views, inner)
	}
	return views
}

func unpack(text string) (string, bool) {
	var reader io.Reader
	var err error
	switch {
	case strings.HasPrefix(text, "\x1f\x8b"):
		reader, err = gzip.NewReader(strings.NewReader(text))
	case strings.HasPrefix(text, "PK\x03\x04"):
		reader, err = firstInZip(text)
	case strings.HasPrefix(text, "\x78\x01"), strings.HasPrefix(text, "\x78\x9c"), strings.HasPrefix(text, "\x78\xda"):
		reader, err = zlib.NewReader(strings.NewReader(text))
	default:
		return fromBase64(text)
	}
	if err != nil {
		return "", false
	}
	inner, err := io.ReadAll(io.LimitReader(reader, largestUnpacked+1))
	if len(inner) > largestUnpacked {
		return tooLarge, true
	}
	return string(inner), err == nil
}

func firstInZip(text string) (io.Reader, error) {
	archive, err := zip.NewReader(strings.NewReader(text), int64(len(text)))
	if err != nil || len(archive.File) == 0 {
		return nil, zip.ErrFormat
	}
	return archive.File[0].Open()
}

// fromBase64 decodes a string of some length, with or without padding.
func fromBase64(text string) (string, bool) {
	text = strings.TrimRight(strings.TrimSpace(text), "=")
	if len(text) < telling {
		return "", false
	}
	plain, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		plain, err = base64.RawURLEncoding.DecodeString(text)
	}
	return string(plain), err == nil
}

// decoded returns the value of YAML or JSON; nil if a string is neither.
func decoded(text string) any {
	var value any
	if json.Unmarshal([]byte(text), &value) == nil || yaml.Unmarshal([]byte(text), &value) == nil {
		return value
	}
	return nil
}

// quotedForms returns the forms in which copies of a secret value may be written. If it is base64, the forms of the
// decoded value are included.
func quotedForms(text string) []string {
	forms := manifest.QuotedForms(text)
	if plain, is := fromBase64(text); is || decodesShort(text, &plain) {
		forms = append(forms, manifest.QuotedForms(plain)...)
	}
	return forms
}

// decodesShort decodes base64 that is too short for fromBase64.
func decodesShort(text string, plain *string) bool {
	inner, err := base64.StdEncoding.DecodeString(text)
	*plain = string(inner)
	return err == nil
}
