package chart_test

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"

	"github.com/Masterminds/sprig/v3"
	"golang.org/x/crypto/bcrypt"
)

// authority is a value with an authority and its key.
func authority(t *testing.T) (values, certificate string) {
	t.Helper()
	made := render(t, request(t, files{"templates/a.yaml": `{{ $ca := genCA "ca" 9 -}}
apiVersion: v1
kind: Secret
metadata: {name: ca}
data: {crt: {{ $ca.Cert | b64enc }}, key: {{ $ca.Key | b64enc }} }
`}, ""))
	data, _ := decode(t, made.Secrets["core/Secret/tides/ca"])["data"].(map[string]any)
	return fmt.Sprintf("crt: %s\nkey: %s\n", data["crt"], data["key"]), secret(t, made, "ca")["crt"]
}

func parsed(t *testing.T, text string) *x509.Certificate {
	t.Helper()
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		t.Fatalf("no certificate: %s", text)
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}

const secretOf = `apiVersion: v1
kind: Secret
metadata: {name: a}
stringData: {text: {{ %s | quote }}, other: {{ randAlphaNum 8 }} }
`

// A result of a draw is another one as soon as its arguments cannot have it, and until then it stays.
func TestDrawsFollowTheirArguments(t *testing.T) {
	hashes := func(password string) func(string) bool {
		return func(text string) bool {
			_, hash, _ := strings.Cut(text, "$")
			return bcrypt.CompareHashAndPassword([]byte("$"+hash), []byte(password)) == nil
		}
	}
	decrypts := func(plain string) func(string) bool {
		decrypt, _ := sprig.TxtFuncMap()["decryptAES"].(func(password, encrypted string) (string, error))
		return func(text string) bool {
			found, err := decrypt("key", text)
			return err == nil && found == plain
		}
	}
	named := func(name string) func(string) bool {
		return func(text string) bool { return parsed(t, text).VerifyHostname(name) == nil }
	}
	first, _ := authority(t)
	second, secondAuthority := authority(t)
	plain := func(text string) string { return "value: " + text }
	for name, tt := range map[string]struct {
		template, before, after string
		fits                    func(string) bool
	}{
		"bcrypt":          {"bcrypt .Values.value", plain("one"), plain("two"), hashes("two")},
		"password":        {`htpasswd "u" .Values.value`, plain("one"), plain("two"), hashes("two")},
		"user":            {`htpasswd .Values.value "p"`, plain("one"), plain("two"), func(text string) bool { return strings.HasPrefix(text, "two:") }},
		"in a text":       {`print "users: " (htpasswd "u" .Values.value) "\n"`, plain("one"), plain("two"), func(text string) bool { return hashes("two")(strings.TrimSpace(text)) }},
		"encrypted":       {`encryptAES "key" .Values.value`, plain("one"), plain("two"), decrypts("two")},
		"shuffled":        {"shuffle .Values.value", plain("abcdefgh"), plain("stuvwxyz"), func(text string) bool { return strings.Contains(text, "s") }},
		"names":           {`(genSelfSignedCert "a" nil (list .Values.value) 9).Cert`, plain("a.example"), plain("b.example"), named("b.example")},
		"addresses":       {`(genSelfSignedCert "a" (list .Values.value) nil 9).Cert`, plain("10.0.0.1"), plain("10.0.0.2"), named("10.0.0.2")},
		"subject":         {`(genSelfSignedCert .Values.value nil nil 9).Cert`, plain("a"), plain("b"), func(text string) bool { return parsed(t, text).Subject.CommonName == "b" }},
		"given authority": {`(genSignedCert "a" nil nil 9 (buildCustomCert .Values.crt .Values.key)).Cert`, first, second, func(text string) bool { return parsed(t, text).CheckSignatureFrom(parsed(t, secondAuthority)) == nil }},
		"key of the subject": {`(genCAWithKey "a" 9 (.Values.key | b64dec)).Cert`, first, second, func(text string) bool {
			key, _ := parsed(t, text).PublicKey.(*rsa.PublicKey)
			return key.Equal(parsed(t, secondAuthority).PublicKey)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			of := files{"templates/a.yaml": fmt.Sprintf(secretOf, tt.template)}
			made, changed, server := beside(t, of, tt.before, tt.after)
			was, is := secret(t, made, "a"), secret(t, changed, "a")
			if tt.fits(was["text"]) || !tt.fits(is["text"]) || was["text"] == is["text"] {
				t.Errorf("%s\nbecomes\n%s", was["text"], is["text"])
			}
			equal(t, "another value", is["other"], was["other"])
			equal(t, "new", changed.New, []string{})
			server.store(t, changed)
			equal(t, "the next ones", secret(t, again(t, of, tt.after, server), "a"), is)
		})
	}
}

// A hash follows a generated password that is changed or lost, and what else follows from it does, too.
func TestHashesFollowGeneratedPasswords(t *testing.T) {
	of := files{"templates/a.yaml": `{{ $password := randAlphaNum 20 -}}
apiVersion: v1
kind: Secret
metadata: {name: plain}
stringData: {password: {{ $password }} }
---
apiVersion: v1
kind: Secret
metadata: {name: hash}
stringData: {htpasswd: {{ htpasswd "u" $password | quote }}, sum: {{ sha256sum $password | quote }}, lower: {{ randAlphaNum 8 | lower }} }
`}
	made, _, server := beside(t, of, "", "")
	was := secret(t, made, "hash")
	check := func(password string, is map[string]string) {
		t.Helper()
		hash := strings.TrimPrefix(is["htpasswd"], "u:")
		if err := bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)); err != nil || is["sum"] == was["sum"] {
			t.Errorf("%v: %v", is, err)
		}
		equal(t, "lower", is["lower"], was["lower"])
	}
	server.patch("Secret/plain", map[string]string{"password": "new"})
	changed := again(t, of, "", server)
	equal(t, "the password", secret(t, changed, "plain")["password"], "new")
	check("new", secret(t, changed, "hash"))

	server.store(t, made)
	delete(server.objects, "Secret/plain")
	lost := again(t, of, "", server)
	equal(t, "new", lost.New, []string{"core/Secret/tides/plain"})
	check(secret(t, lost, "plain")["password"], secret(t, lost, "hash"))
}

// What is made of something that is stored nowhere stays.
func TestDrawsOfUnknownArguments(t *testing.T) {
	of := files{"templates/a.yaml": `{{ $lower := randAlphaNum 8 | lower }}{{ $key := genPrivateKey "ecdsa" -}}
{{ $ca := genCAWithKey "ca" 9 $key -}}
apiVersion: v1
kind: Secret
metadata: {name: a}
stringData:
  hash: {{ randAlphaNum 8 | bcrypt | quote }}
  lower: {{ $lower }}
  htpasswd: {{ htpasswd "u" $lower | quote }}
  crt: {{ (genSelfSignedCertWithKey "a" nil nil 9 (genPrivateKey "ecdsa")).Cert | toJson }}
  signed: {{ (genSignedCertWithKey "a" nil (list "") 9 $ca $key).Cert | toJson }}
`}
	made, same, _ := beside(t, of, "", "")
	equal(t, "the Secret", secret(t, same, "a"), secret(t, made, "a"))
}

// A certificate without its key is made again, and one of others stays if it has the names.
func TestReplacedCertificates(t *testing.T) {
	const template = `{{ $cert := genSelfSignedCert "a" nil (list %s) 9 -}}
apiVersion: v1
kind: Secret
metadata: {name: tls}
stringData: {crt: {{ $cert.Cert | toJson }}, key: {{ $cert.Key | toJson }} }
`
	of := files{"templates/a.yaml": fmt.Sprintf(template, `"a.example"`)}
	theirs := secret(t, render(t, request(t, files{"templates/a.yaml": fmt.Sprintf(template, `"x.example" "*.example"`)}, "")), "tls")
	made, _, server := beside(t, of, "", "")
	server.patch("Secret/tls", theirs)
	equal(t, "theirs", secret(t, again(t, of, "", server), "tls"), theirs)

	server.store(t, made)
	data, _ := server.objects["Secret/tls"]["data"].(map[string]any)
	delete(data, "key")
	if is := secret(t, again(t, of, "", server), "tls"); is["crt"] == secret(t, made, "tls")["crt"] {
		t.Error("the certificate has another key")
	}
}
