package manifest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseID(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		id   string
		want Identity
		// written is the text that ID returns; if it is empty, that is id.
		written string
	}{
		"a namespaced object": {
			id:   "apiVersion=apps/v1,kind=Deployment,namespace=default,name=web",
			want: Identity{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "default", Name: "web"},
		},
		"a cluster-scoped object": {
			id:   "apiVersion=v1,kind=Namespace,name=shop",
			want: Identity{APIVersion: "v1", Kind: "Namespace", Name: "shop"},
		},
		"a name with dots and colons": {
			id:   "apiVersion=rbac.authorization.k8s.io/v1,kind=ClusterRole,name=system:controller:a.b-c",
			want: Identity{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRole", Name: "system:controller:a.b-c"},
		},
		"a name that looks like the rest of an ID": {
			id:   "apiVersion=v1,kind=ClusterRole,name=a,namespace=b,name=c=d",
			want: Identity{APIVersion: "v1", Kind: "ClusterRole", Name: "a,namespace=b,name=c=d"},
		},
		"a name with spaces and letters of any script": {
			id:   "apiVersion=v1,kind=ClusterRole,name=größe Ω",
			want: Identity{APIVersion: "v1", Kind: "ClusterRole", Name: "größe Ω"},
		},
		"the keys in another order": {
			id:      "namespace=shop,kind=Pod,apiVersion=v1,name=web",
			want:    Identity{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "web"},
			written: "apiVersion=v1,kind=Pod,namespace=shop,name=web",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseID(tt.id)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("identity (-want +got):\n%s", diff)
			}
			if tt.written == "" {
				tt.written = tt.id
			}
			if got.ID() != tt.written {
				t.Errorf("ID %s, want %s", got.ID(), tt.written)
			}
		})
	}
}

func TestParseIDErrors(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ id, want string }{
		"nothing":          {"", `"" is not one of apiVersion=, kind=, namespace=, name=`},
		"another form":     {"default/web", `"default/web" is not one of apiVersion=, kind=, namespace=, name=`},
		"an unknown key":   {"apiVersion=v1,kind=Pod,ns=a,name=b", `"ns=a" is not one of apiVersion=, kind=, namespace=, name=`},
		"a key in capital": {"apiVersion=v1,Kind=Pod,name=b", `"Kind=Pod" is not one of apiVersion=, kind=, namespace=, name=`},
		"a comma too much": {"apiVersion=v1,,kind=Pod,name=b", `"" is not one of apiVersion=, kind=, namespace=, name=`},
		"a key twice":      {"kind=A,kind=B,apiVersion=v1,name=b", "kind is given twice"},
		"an empty value":   {"apiVersion=v1,kind=Pod,namespace=,name=b", "namespace is empty"},
		"an empty name":    {"apiVersion=v1,kind=Pod,name=", "name is empty"},
		"no name":          {"apiVersion=v1,kind=Pod,namespace=a", "name is missing"},
		"no kind":          {"apiVersion=v1,name=b", "kind is missing"},
		"no apiVersion":    {"kind=Pod,name=b", "apiVersion is missing"},
		"a key after name": {"name=b,apiVersion=v1,kind=Pod", "apiVersion is missing"},
		"an apiVersion of three parts": {
			"apiVersion=a/b/c,kind=Pod,name=b", `apiVersion "a/b/c" is not of the form group/version`,
		},
		"an apiVersion without its group": {
			"apiVersion=/v1,kind=Pod,name=b", `apiVersion "/v1" is not of the form group/version`,
		},
		"a name with a slash":        {"apiVersion=v1,kind=Pod,name=a/b", `"a/b" is not a valid name of an object`},
		"a name with a percent sign": {"apiVersion=v1,kind=Pod,name=a%2fb", `"a%2fb" is not a valid name of an object`},
		"a name that climbs":         {"apiVersion=v1,kind=Pod,name=..", `".." is not a valid name of an object`},
		"a namespace that climbs":    {"apiVersion=v1,kind=Pod,namespace=..,name=a", `".." is not a valid namespace`},
		"a namespace with a slash":   {"apiVersion=v1,kind=Pod,namespace=a/b,name=a", `"a/b" is not a valid namespace`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseID(tt.id)
			var fault *Error
			if !errors.As(err, &fault) {
				t.Fatalf("%v, %v is not an *Error", got, err)
			}
			if fault.Problem != tt.want {
				t.Errorf("%s, want %s", fault.Problem, tt.want)
			}
			const suggestion = "Write apiVersion=apps/v1,kind=Deployment,namespace=default,name=web, in any order, " +
				"and without namespace for a cluster-scoped kind."
			if fault.Suggestion != suggestion {
				t.Errorf("suggestion %q", fault.Suggestion)
			}
		})
	}
}

func TestParseImportID(t *testing.T) {
	t.Parallel()
	web := Identity{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	tests := map[string]struct {
		id   string
		want Identity
	}{
		"as ID writes it":      {web.ID(), web},
		"the name first":       {"name=web,namespace=shop,kind=Deployment,apiVersion=apps/v1", web},
		"the namespace last":   {"apiVersion=apps/v1,kind=Deployment,name=web,namespace=shop", web},
		"the name in between":  {"kind=Deployment,name=web,apiVersion=apps/v1,namespace=shop", web},
		"a name with a comma":  {"name=a,b=c,kind=ClusterRole,apiVersion=v1", Identity{APIVersion: "v1", Kind: "ClusterRole", Name: "a,b=c"}},
		"a name at the end":    {"apiVersion=v1,kind=ClusterRole,name=a,b=c", Identity{APIVersion: "v1", Kind: "ClusterRole", Name: "a,b=c"}},
		"a name with its keys": {"apiVersion=v1,kind=A,name=a,kind=b", Identity{APIVersion: "v1", Kind: "A", Name: "a,kind=b"}},
		"a name that looks like the rest of an ID": {
			"apiVersion=v1,kind=ClusterRole,name=a,namespace=b,name=c=d",
			Identity{APIVersion: "v1", Kind: "ClusterRole", Name: "a,namespace=b,name=c=d"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseImportID(tt.id)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("identity (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseImportIDErrors(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ id, want string }{
		"nothing":            {"", "it is empty"},
		"another form":       {"default/web", `"default/web" is not one of apiVersion=, kind=, namespace=, name=`},
		"no kind":            {"name=b,apiVersion=v1", "kind is missing"},
		"no name":            {"kind=Pod,apiVersion=v1", "name is missing"},
		"an empty name":      {"name=,apiVersion=v1,kind=Pod", "name is empty"},
		"an empty namespace": {"apiVersion=v1,kind=Pod,name=b,namespace=", "namespace is empty"},
		"the name twice":     {"name=a,name=b,apiVersion=v1,kind=Pod", "name is given twice"},
		"a comma at the end": {"name=a,kind=Pod,apiVersion=v1,", `"" is not one of apiVersion=, kind=, namespace=, name=`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseImportID(tt.id)
			var fault *Error
			if !errors.As(err, &fault) {
				t.Fatalf("%v, %v is not an *Error", got, err)
			}
			if fault.Problem != tt.want {
				t.Errorf("%s, want %s", fault.Problem, tt.want)
			}
		})
	}
}
