package manifest
import ("testing";"fmt";"strings";"time")
func bomb(n, w int) string {
 var b strings.Builder
 b.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\na0: &a0 [x,x,x,x,x,x,x,x,x]\n")
 for i:=1;i<n;i++ { fmt.Fprintf(&b,"a%d: &a%d [%s]\n",i,i,strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,",i-1),w),",")) }
 return b.String()
}
func TestTry(t *testing.T){
 for _, s := range []string{
 "---\n# c\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "", "# only\n", "---\n---\n", "[]", "hello", "- a\n- b", "a: 1\na: 2\n", "a: b: c", "\tx", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nmetadata: {name: b}\n",
 "apiVersion: 1\n","{1: 2, apiVersion: v1, kind: A, metadata: {name: n}}","apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nx: 1e400\n", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nx: 9007199254740993\ny: 9223372036854775808\nz: 18446744073709551616\nf: .inf\n",
 "? [a]\n: 1","a: *b", "a: &a [*a]", "a: !!binary aGVsbG8=", "a: !foo bar", "a: 2020-01-01", "<<: {a: 1}\nb: 2", "a: &x {b: 1}\nc: {<<: *x, b: 2}", "..." , "%YAML 1.2\n---\na: 1","\xff", "a: \"\\ud800\"", "{a: 1}\n...\n{b: 2}", "a: {<<: 1}","kind: null\napiVersion: v1\nmetadata: {name: a}", "0x10: 1", "a: 1\n'a': 2","true: 1","apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nx: .nan\n", strings.Repeat("[",20000), strings.Repeat("- ",20000),
 } { if len(s)>200 {fmt.Printf("%.10q...\n",s)} else {fmt.Printf("%q\n",s)}; m,err:=Parse(s); e := fmt.Sprint(err); if len(e)>300{e=e[:300]}; fmt.Println("   ",m.Object,"|",e) }
 for _, c := range [][2]int{{5,9},{6,9},{7,9},{8,9},{9,9},{20,9},{30,2},{12,4}} { st:=time.Now(); _,err:=Parse(bomb(c[0],c[1])); fmt.Println(c,time.Since(st),err) }
}
