package chart

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/Masterminds/sprig/v3"
	"golang.org/x/crypto/bcrypt"
)

// fits reports whether a result on the cluster still belongs to the arguments of its draw: a hash to its password, or a
// certificate to its names. A password belongs to any length, since a person may have set it.
func fits(function string, result reflect.Value, args []reflect.Value) bool {
	switch function {
	case "bcrypt":
		return hashes(result.String(), args[0].String())
	case "htpasswd":
		hash, isOf := strings.CutPrefix(result.String(), args[0].String()+":")
		return isOf && hashes(hash, args[1].String())
	case "encryptAES":
		return decrypted(args[0].String(), result.String()) == args[1].String()
	case "shuffle":
		return slices.Equal(characters(result), characters(args[0]))
	case "genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert", "genSignedCertWithKey", "genCAWithKey":
		return certifies(textsOf(result), args)
	}
	return true
}

func hashes(hash, password string) bool {
	return bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil
}

func characters(text reflect.Value) []rune {
	return slices.Sorted(slices.Values([]rune(text.String())))
}

// decrypted returns the plain text; "" for one that is not encrypted with the password.
func decrypted(password, encrypted string) (plain string) {
	decrypt, _ := sprig.TxtFuncMap()["decryptAES"].(func(password, encrypted string) (string, error))
	// It does not check lengths.
	defer func() {
		if recover() != nil {
			plain = ""
		}
	}()
	plain, _ = decrypt(password, encrypted)
	return plain
}

// certifies reports whether a certificate has the names of the arguments, or else the subject, belongs to the key, and
// is signed by the authority. Subjects of authorities are not compared: no client looks at them.
func certifies(result map[string]string, args []reflect.Value) bool {
	certificate := parsed(result["Cert"])
	if certificate == nil {
		return false
	}
	isAuthority := true
	var names []string
	for _, arg := range args[1:] {
		switch arg.Kind() { //nolint:exhaustive // Numbers are days.
		case reflect.Slice:
			isAuthority = false
			for _, name := range arg.Seq2() {
				names = append(names, fmt.Sprint(name))
			}
		case reflect.String:
			if !isPair(result["Cert"], arg.String()) {
				return false
			}
		case reflect.Struct:
			by := textsOf(arg)
			if isPair(by["Cert"], by["Key"]) && !isSigned(certificate, parsed(by["Cert"])) {
				return false // One that cannot sign another certificate may have signed an earlier one.
			}
		}
	}
	subject := args[0].String()
	if !isAuthority && len(names) == 0 && subject != certificate.Subject.CommonName {
		names = []string{subject}
	}
	lacks := func(name string) bool { return certificate.VerifyHostname(name) != nil }
	return !slices.ContainsFunc(names, lacks)
}

func isPair(certificate, key string) bool {
	_, err := tls.X509KeyPair([]byte(certificate), []byte(key))
	return err == nil
}

func isSigned(certificate, by *x509.Certificate) bool {
	signature := certificate.Signature
	return by.CheckSignature(certificate.SignatureAlgorithm, certificate.RawTBSCertificate, signature) == nil
}

// parsed returns the first certificate in a PEM string; nil if it contains no certificate.
func parsed(text string) *x509.Certificate {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil
	}
	certificate, _ := x509.ParseCertificate(block.Bytes)
	return certificate
}

// textsOf returns the strings that the result of a draw contains, by the names of its fields.
func textsOf(result reflect.Value) map[string]string {
	texts := map[string]string{}
	switch result.Kind() { //nolint:exhaustive // There are no other results that a manifest shows as they are.
	case reflect.String, reflect.Int:
		texts[""] = fmt.Sprint(result)
	case reflect.Struct:
		for _, field := range []string{"Cert", "Key"} {
			if text := result.FieldByName(field); text.IsValid() {
				texts[field] = text.String()
			}
		}
	}
	return texts
}
