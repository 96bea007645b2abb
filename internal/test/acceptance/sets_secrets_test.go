package acceptance_test

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const loginSecret = "apiVersion: v1\nkind: Secret\nmetadata: {name: login, namespace: NS}\ndata: {user: YWRtaW4=}\n"

// What manifests_wo has is on the cluster and nowhere else. A new version sends it, and so does a key that was lost.
func TestSetWithWriteOnlyValues(t *testing.T) {
	s := newSet(t)
	manifests := map[string]string{"login": loginSecret, "other": configMap("other", "1")}
	of := func(password, version string) {
		t.Helper()
		s.has(manifests, `manifests_wo = { login = yamlencode({ stringData = { password = "`+password+`" } }) }`, `manifests_wo_version = "`+version+`"`)
	}
	password := func() any {
		t.Helper()
		data, _ := s.Live("v1 Secret login").Object["data"].(map[string]any)
		return data["password"]
	}
	of("hunter2-first", "1")
	out := s.Do("apply", "-auto-approve")
	s.settled()
	if got := password(); got != "aHVudGVyMi1maXJzdA==" {
		t.Errorf("the password is %v", got)
	}

	of("hunter2-second", "1")
	out += s.Do("plan")
	s.expect(out, "manifests_wo has another value than the object", "change manifests_wo_version")
	if got := password(); got != "aHVudGVyMi1maXJzdA==" {
		t.Errorf("without a new version, the password is %v", got)
	}
	of("hunter2-second", "2")
	out += s.Do("apply", "-auto-approve")
	s.settled()
	if got := password(); got != "aHVudGVyMi1zZWNvbmQ=" {
		t.Errorf("with a new version, the password is %v", got)
	}
	s.As("bob").Patch("v1 Secret login", `{"data": {"password": null}}`)
	out += s.Do("apply", "-auto-approve")
	s.settled()
	if got := password(); got != "aHVudGVyMi1zZWNvbmQ=" {
		t.Errorf("after it was lost, the password is %v", got)
	}

	s.has(manifests)
	out += s.Do("apply", "-auto-approve")
	s.settled()
	if got := password(); got != nil {
		t.Errorf("a key that left manifests_wo is %v", got)
	}
	out += s.Do("state", "pull") + s.Do("destroy", "-auto-approve")
	s.expect(out, "not", "hunter2", "aHVudGVyMi")
}

// Mistakes in manifests_wo are refused, and not quoted.
func TestSetRefusesBadWriteOnlyParts(t *testing.T) {
	s := newSet(t)
	const version = `manifests_wo_version = "1"`
	for name, tt := range map[string]struct {
		arguments []string
		want      string
	}{
		"a key of no manifest":         {[]string{`manifests_wo = { b = "data: {x: aHVudGVyMg==}" }`, version}, `manifests_wo has the key "b", which manifests does not have.`},
		"a part of no manifest":        {[]string{`manifests_wo = { one = "- hunter2" }`, version}, `manifests_wo["one"]`},
		"no version":                   {[]string{`manifests_wo = { one = "data: {x: y}" }`}, "manifests_wo needs manifests_wo_version"},
		"a version and nothing else":   {[]string{version}, "manifests_wo_version needs manifests_wo"},
		"a part about another object":  {[]string{`manifests_wo = { one = "{kind: Secret, data: {x: hunter2}}" }`, version}, `manifests_wo["one"]: kind is not the same as in manifests["one"]`},
		"a field of manifests as well": {[]string{`manifests_wo = { one = "data: hunter2" }`, version}, "Error"},
	} {
		s.has(configMaps("1", "one"), tt.arguments...)
		out := s.Exits(story.Refused, "plan")
		s.expect(out, tt.want, "not", "hunter2")
		if t.Failed() {
			t.Fatal(name)
		}
	}
}
