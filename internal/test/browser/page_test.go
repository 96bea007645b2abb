package browser

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	web      = "k8sconnect_manifest.web"
	title    = `document.querySelector("#object h2").textContent`
	visible  = `document.querySelectorAll("#list li:not([hidden])").length`
	focused  = `(e => e.id || e.textContent)(document.activeElement)`
	replicas = "spec.replicas"
)

func TestClicks(t *testing.T) {
	t.Parallel()
	o := open(t, write(t, shop...), "")
	sees(o, title, "PersistentVolumeClaim shop/orders (v1)") // The most dangerous one.
	o.click(`#list a[href*="manifest.web"]`)
	sees(o, title, "Deployment shop/web (apps/v1)")
	sees(o, `document.querySelector("#list [aria-current]").textContent.includes("Deployment")`, true)
	sees(o, `location.hash`, fragment("object", web))
	o.do(chromedp.NavigateBack())
	sees(o, title, "PersistentVolumeClaim shop/orders (v1)")
	o.do(chromedp.NavigateForward())

	// Owners and values of a field that changes hands, and the line that leaves it to its owner.
	row := fmt.Sprintf(`document.querySelector('tr[data-path=%q]')`, replicas)
	for i, want := range []string{"kube-controller-manager loses it", "    replicas: 5", "k8sconnect gets it", "    replicas: 3"} {
		sees(o, fmt.Sprintf(`%s.cells[%d].textContent`, row, i), strings.Replace(want, "    ", "  ", 1))
	}
	sees(o, row+`.nextSibling.querySelector("code").textContent`, `ignore_fields = ["spec.replicas"]`)
	o.click("tr.note button")
	sees(o, `getSelection().toString()`, value[string](o, `document.querySelector("tr.note code").textContent`))
	o.await(`document.querySelector("tr.note button").textContent === "Copied"`)

	o.click(`#list a[href*="manifest.front"]`)
	released := `document.querySelector('tr[data-path="spec.sessionAffinity"]')`
	for i, want := range []string{"k8sconnect loses it", "  sessionAffinity: None", "", "  sessionAffinity: None"} {
		sees(o, fmt.Sprintf(`%s.cells[%d].textContent`, released, i), want)
	}
	sees(o, released+`.nextSibling.textContent`, "gives up: This configuration gives the line up, and the value stays. Nobody owns it then.")
	o.click(`#list a[href*="manifest.web"]`)
	o.click(`ul.happens a[href*="image"]`)
	sees(o, `document.querySelectorAll("tr.target").length`, 1)
	sees(o, `document.querySelector("tr.target").dataset.path`, `spec.template.spec.containers[name="web"].image`)
}

// A page opens on the sentence that says what is lost, and leaves most of a laptop's screen to the objects.
func TestOpening(t *testing.T) {
	t.Parallel()
	o := open(t, write(t, shop...), "", window(1366, 650))
	o.picture("opening")
	sees(o, `document.getElementById("lead").textContent`, "5 fields are taken from others, one of them from an autoscaler; "+
		"a PersistentVolumeClaim is deleted; another object is deleted.")
	sees(o, `document.getElementById("summary").textContent`, "Objects: 2 deleted, 1 adopted, 2 created, 5 updated.")
	sees(o, `document.querySelector("header").offsetHeight < 170`, true)
	sees(o, `document.getElementById("legend").open`, false)
	sees(o, `document.getElementById("only").checked`, true)
	o.click("#lead a:nth-of-type(2)")
	sees(o, title, "Deployment shop/web (apps/v1)")
	sees(o, `document.querySelector("tr.target").dataset.path`, replicas)
	o.click("#lead a:nth-of-type(1)")
	sees(o, visible, 4)
	o.click("#lead a:nth-of-type(3)")
	sees(o, title, "PersistentVolumeClaim shop/orders (v1)")
	sees(o, visible, value[int](o, "data.objects.length"))

	// What has data stands out from what has none.
	sees(o, `[...document.querySelectorAll("#list .grave")].map(e => e.closest("a").querySelector("b").textContent).join()`, "PersistentVolumeClaim shop/orders (v1)")
	sees(o, `[...document.querySelectorAll("#list .alarm")].filter(e => e.textContent === "is deleted").length`, 1)

	// All lines of an object are a click away, and a link.
	o.click(`#list a[href*="manifest.web"]`)
	few := value[int](o, `document.querySelectorAll("#object tr").length`)
	o.click("#only")
	if all := value[int](o, `document.querySelectorAll("#object tr").length`); all <= few {
		t.Errorf("of %d lines, %d change", all, few)
	}
	sees(o, `new URLSearchParams(location.hash.slice(1)).get("only")`, "false")
	o.click("button[type=reset]")
	sees(o, `document.querySelectorAll("#object tr").length`, few)
}

// Names break at dots and slashes, and nowhere else.
func TestBreaks(t *testing.T) {
	t.Parallel()
	o := open(t, write(t, shop...), fragment("object", web), window(1240, 600))
	sees(o, `[...document.querySelectorAll("td .owner")].some(e => e.textContent.includes("kube-controller-manager"))`, true)
	sees(o, `[...document.querySelectorAll("td .owner")].filter(e => e.offsetHeight > 26).map(e => e.textContent).join()`, "")
	o.do(script(`document.querySelector("#object h2").replaceChildren(make("div", {style: "width: 13em; overflow-wrap: anywhere"}, ...breaking("metadata.annotations.deployment.kubernetes.io/my-revision")))`))
	lines := `(element => {
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), range = document.createRange(), lines = [];
  let last;
  while (walk.nextNode()) for (let i = 0; i < walk.currentNode.length; i++) {
    range.setStart(walk.currentNode, i); range.setEnd(walk.currentNode, i + 1);
    const top = range.getBoundingClientRect().top;
    if (last === undefined || top > last + 5) lines.push("");
    last = top;
    lines[lines.length - 1] += walk.currentNode.data[i];
  }
  return lines;
})(document.querySelector("#object h2 div"))`
	broken := value[[]string](o, lines)
	for _, line := range broken[:len(broken)-1] {
		if !strings.HasSuffix(line, ".") && !strings.HasSuffix(line, "/") {
			t.Errorf("a line ends in a word: %q", broken)
		}
	}
	if len(broken) < 2 {
		t.Errorf("nothing is broken: %q", broken)
	}
}

// An effect that the page does not know is shown by its name.
func TestUnknownEffect(t *testing.T) {
	t.Parallel()
	file := write(t, shop...)
	made, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.ReplaceAll(made, []byte(`"effect":"share"`), []byte(`"effect":"novel"`)), 0o600); err != nil {
		t.Fatal(err)
	}
	o := open(t, file, fragment("object", "k8sconnect_manifest.settings"))
	sees(o, title, "ConfigMap shop/settings (v1)")
	sees(o, `document.querySelector("tr.note").textContent`, "novel")
	sees(o, `document.querySelector("#list [aria-current]").textContent.includes("novel: 1")`, true)
	// A change of its own is in the two columns, and needs no words.
	sees(o, `current.fields.some(f => f.effect === "set")`, true)
	sees(o, `document.querySelectorAll("tr.note").length`, 1)
}

// live writes the page of a survey. The objects are those of the test that writes it.
func live(t *testing.T) string {
	t.Helper()
	skipUnlessAsked(t)
	file := filepath.Join(t.TempDir(), "owners.html")
	test := exec.CommandContext(t.Context(), "go", "test", "-C", root, "-count=1", "-run", "^TestLive$", "./internal/report/page", "-live", file)
	if out, err := test.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// The page of a survey opens on its findings and managers. The page of objects as they are has one column of owners and one of
// lines, and nothing about a plan.
func TestLivePage(t *testing.T) {
	t.Parallel()
	o := open(t, live(t), "")
	o.picture("live")
	sees(o, `document.title`, "Who owns what")
	sees(o, title, "Findings")
	sees(o, `[...document.querySelectorAll("#object h3")].map(h => h.textContent).join()`, "Fields of several managers. (1),Objects without managers. (4)")
	sees(o, `document.querySelector("#object details summary").textContent`, "and 1 more")
	sees(o, `document.querySelector("table.managers tbody tr").textContent`, "fluxApplydeployments.apps172026-11-26T09:00:00Z")
	sees(o, `document.getElementById("object").textContent.includes("secrets: forbidden")`, true)
	sees(o, `[...document.querySelectorAll("#list .alarm")].map(e => e.closest("a").querySelector("b").textContent + ": " + e.textContent).join()`,
		"Deployment shop/web (apps/v1): 1 finding,ConfigMap shop/old (v1): 1 finding")
	sees(o, `[...document.querySelectorAll(".plan")].every(e => !e.offsetParent)`, true)
	for _, low := range value[[]string](o, contrast) {
		t.Error("the contrast of", low)
	}

	// A manager leads to its objects, findings and rows.
	o.click(`table.managers tbody tr:last-child a`)
	sees(o, `document.getElementById("owner").value`, "kube-controller-manager (scale)")
	sees(o, `document.querySelectorAll("table.managers tbody tr").length`, 1)
	sees(o, `[...document.querySelectorAll("#object h3")].map(h => h.textContent).join()`, "Fields of several managers. (1)")
	sees(o, `document.getElementById("status").textContent`, "1 of 3 objects")
	o.click("button[type=reset]")
	sees(o, `document.querySelectorAll("#object h3").length`, 2)

	o.click(`ul.found code`)
	sees(o, title, "Deployment shop/web (apps/v1)")
	sees(o, `document.querySelector("tr.target").dataset.path`, replicas)
	sees(o, `[...document.querySelectorAll("th")].map(h => h.textContent).join()`, "Owner now,Now")
	sees(o, `document.querySelector('tr[data-path="spec.replicas"]').cells[0].textContent`, "kube-controller-manager (scale)flux")
	sees(o, `document.querySelector('tr[data-path="spec.replicas"]').cells[1].textContent`, "  replicas: 5")
	o.click(`#list li:nth-child(4) a`)
	sees(o, `document.querySelector("#object").textContent.includes("No manager owns anything of this object.")`, true)
	sees(o, `document.querySelector("#object details").textContent`, "unmanagedkubectl apply")
	o.do(chromedp.KeyEvent(kb.Home))
	sees(o, title, "Findings")
	o.do(chromedp.KeyEvent(kb.ArrowDown))
	sees(o, title, "Deployment shop/web (apps/v1)")

	o = open(t, o.file, "", window(390, 844), scheme("dark"))
	o.picture("live-narrow")
	sees(o, `document.documentElement.scrollWidth <= innerWidth`, true)
	for _, low := range value[[]string](o, contrast) {
		t.Error("in the dark, the contrast of", low)
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	o := open(t, write(t, shop...), "")
	all := value[int](o, visible)
	choose := func(id, value string) {
		o.do(chromedp.SetValue(chromedp.ID(id), value),
			script(fmt.Sprintf(`document.getElementById(%q).dispatchEvent(new Event("input"))`, id)))
	}
	for _, filter := range []struct {
		id, value string
		want      int
	}{
		{"owner", "kustomize-controller", 1}, {"kind", "ConfigMap", 7}, {"kind", "Secret", 1}, {"change", "delete", 2}, {"change", "take", 4},
	} {
		choose(filter.id, filter.value)
		if got := value[int](o, visible); got != filter.want {
			t.Errorf("%s %s: %d objects, want %d", filter.id, filter.value, got, filter.want)
		}
		sees(o, `document.getElementById("status").textContent`, fmt.Sprintf("%d of %d objects", filter.want, all))
		sees(o, `new URLSearchParams(location.hash.slice(1)).get("`+filter.id+`")`, filter.value)
		o.click("button[type=reset]")
		sees(o, visible, all)
	}
	o.do(chromedp.SendKeys(chromedp.ID("q"), "REPLICAS"))
	sees(o, visible, 1)
	sees(o, title, "Deployment shop/web (apps/v1)")
	o.do(chromedp.SendKeys(chromedp.ID("q"), " nothing has this"))
	sees(o, visible, 0)
	sees(o, `document.getElementById("object").textContent`, "No object fits. Clear the search and the filters.")
}

func TestKeyboard(t *testing.T) {
	t.Parallel()
	o := open(t, write(t, shop...), "")
	first := value[string](o, title)
	press := func(keys string) { o.do(chromedp.KeyEvent(keys)) }
	press(kb.ArrowDown)
	second := value[string](o, title)
	if second == first {
		t.Error("the arrow down does not go to the next object")
	}
	press(kb.ArrowUp)
	sees(o, title, first)
	press(kb.ArrowUp)
	sees(o, title, first)
	press(kb.End)
	press(kb.Home)
	sees(o, title, first)

	// A character of its own event would arrive although the page cancels the key.
	slash := call(input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "/", Text: "/"})
	o.do(slash)
	sees(o, focused, "q")
	press("limits")
	sees(o, title, "ConfigMap shop/limits (v1)")
	o.do(slash) // In the search, it is a character.
	sees(o, `document.getElementById("q").value`, "limits/")
	press(kb.Escape)
	sees(o, `document.getElementById("q").value`, "")
	sees(o, `document.activeElement === document.querySelector("#list [aria-current]")`, true)

	// The list is one stop of the tab order.
	o = open(t, write(t, shop...), fragment("object", web))
	var stops []string
	for range 13 {
		o.do(chromedp.KeyEvent(kb.Tab))
		stops = append(stops, value[string](o, `(e => e.id || e.getAttribute("href") || e.textContent)(document.activeElement)`))
	}
	want := []string{"q", "owner", "kind", "change", "only", "Clear", "How to read this page", fragment("object", web)}
	if !slices.Equal(stops[4:12], want) || !strings.HasPrefix(stops[0], "#") || !strings.Contains(stops[12], "field=") {
		t.Errorf("the tab order is %q", stops)
	}
}

func TestDeepLinks(t *testing.T) {
	t.Parallel()
	file := write(t, shop...)
	o := open(t, file, fragment("object", web, "field", replicas))
	sees(o, title, "Deployment shop/web (apps/v1)")
	sees(o, `document.querySelector("tr.target").dataset.path`, replicas)
	sees(o, `(r => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector("tr.target").getBoundingClientRect())`, true)
	o = open(t, file, fragment("change", "take", "kind", "Secret"))
	sees(o, visible, 1)
	sees(o, `document.getElementById("kind").value + document.getElementById("change").value`, "Secrettake")
	sees(o, title, "Secret shop/login (v1)")
	o = open(t, file, fragment("object", "gone"))
	sees(o, title, "PersistentVolumeClaim shop/orders (v1)")
}

// Values of secrets are digests, in each form.
func TestSecrets(t *testing.T) {
	t.Parallel()
	plan, err := os.ReadFile(shop[0])
	if err != nil {
		t.Fatal(err)
	}
	file := write(t, shop...)
	made, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"correct-horse", "Y29ycmVjdC1ob3JzZ", "battery-staple", "YmF0dGVyeS1zdGFwbG"} {
		if bytes.Contains(made, []byte(secret)) {
			t.Error("the page has", secret)
		}
	}
	if !bytes.Contains(plan, []byte("correct-horse")) || !bytes.Contains(made, []byte("hmac-sha256:")) {
		t.Error("the plan has no secret, or the page no digest")
	}
	o := open(t, file, fragment("object", "k8sconnect_manifest.login"))
	sees(o, `document.querySelectorAll("tr.note").length`, 1)
}

// contrast returns the texts whose contrast is under what WCAG 2.2 asks for, with the figure.
const contrast = `(() => {
  const context = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgba = text => { context.clearRect(0, 0, 1, 1); context.fillStyle = text; context.fillRect(0, 0, 1, 1); return [...context.getImageData(0, 0, 1, 1).data]; };
  const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] / 255 + b[i] * (1 - a[3] / 255));
  const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  const behind = e => e ? over(rgba(getComputedStyle(e).backgroundColor), behind(e.parentElement)) : [255, 255, 255];
  const low = new Map(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent.trim(), element = walk.currentNode.parentElement;
    if (!text || !element.checkVisibility() || element.closest("script, option")) continue;
    const below = behind(element), a = light(over(rgba(getComputedStyle(element).color), below)), b = light(below);
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) low.set(text, ratio.toFixed(2));
  }
  return [...low].map(([text, ratio]) => text + ": " + ratio);
})()`

func TestSchemes(t *testing.T) {
	t.Parallel()
	papers := map[string]bool{}
	for _, name := range []string{"light", "dark"} {
		o := open(t, write(t, append(shop, "--fail-on=take:kube-controller-manager")...), fragment("object", web), scheme(name))
		o.picture(name)
		papers[value[string](o, `getComputedStyle(document.body).backgroundColor`)] = true
		for _, object := range []string{web, "k8sconnect_manifest.orders", "k8sconnect_manifest.settings"} {
			o.do(script("location.hash = '" + fragment("object", object) + "'"))
			for _, low := range value[[]string](o, contrast) {
				t.Errorf("%s, %s: the contrast of %s", name, object, low)
			}
		}
	}
	if len(papers) != 2 {
		t.Error("light and dark look the same:", papers)
	}
}

// People with each colour blindness tell the owners of a plan apart by colour alone, although the names are there, too.
func TestColourBlindness(t *testing.T) {
	t.Parallel()
	const colours, size = 7, 20
	o := open(t, write(t, shop...), "", window(colours*size, size))
	o.do(script(fmt.Sprintf(`document.body.replaceChildren(); document.body.style.flexDirection = "row";
for (let i = 0; i < %d; i++) document.body.append(Object.assign(document.createElement("i"), {style: "flex: 1; height: 100vh; background: var(--o" + i + ")"}))`, colours)))
	for _, kind := range []emulation.SetEmulatedVisionDeficiencyType{
		emulation.SetEmulatedVisionDeficiencyTypeNone, emulation.SetEmulatedVisionDeficiencyTypeDeuteranopia,
		emulation.SetEmulatedVisionDeficiencyTypeProtanopia, emulation.SetEmulatedVisionDeficiencyTypeTritanopia,
	} {
		o.do(call(emulation.SetEmulatedVisionDeficiency, emulation.SetEmulatedVisionDeficiencyParams{Type: kind}))
		shot, err := chromedp.Run(o.Context, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(shot))
		if err != nil {
			t.Fatal(err)
		}
		for a := range colours {
			for b := range a {
				if d := distance(picture, a*size+size/2, b*size+size/2); d < 25 {
					t.Errorf("%s: the colours %d and %d are %.0f apart", kind, b, a, d)
				}
			}
		}
	}
}

// distance returns how far two pixels of a picture are apart, from 0 to 441.
func distance(of image.Image, a, b int) float64 {
	at := func(x int) color.RGBA { return color.RGBAModel.Convert(of.At(x, 5)).(color.RGBA) }
	square := func(x, y uint8) float64 { return math.Pow(float64(x)-float64(y), 2) }
	p, q := at(a), at(b)
	return math.Sqrt(square(p.R, q.R) + square(p.G, q.G) + square(p.B, q.B))
}

// Each control has a name, and what a screen reader goes by is there.
func TestAccessibility(t *testing.T) {
	t.Parallel()
	o := open(t, write(t, shop...), fragment("object", web))
	tree, err := chromedp.Call(o.Context, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		t.Fatal(err)
	}
	text := func(v *accessibility.Value) string {
		var s string
		if v != nil {
			_ = json.Unmarshal(v.Value, &s)
		}
		return s
	}
	found := map[string]int{}
	var names []string
	for _, node := range tree.Nodes {
		role, name := text(node.Role), text(node.Name)
		found[role]++
		found[role+" "+strings.TrimSpace(name)]++
		if role != "StaticText" && role != "InlineTextBox" {
			names = append(names, role+" "+name)
		}
		if slices.Contains([]string{"button", "link", "searchbox", "combobox", "textbox", "DisclosureTriangle"}, role) && strings.TrimSpace(name) == "" {
			t.Errorf("a %s without a name: %+v", role, node)
		}
	}
	for _, want := range []string{
		"navigation Objects", "main", "search", "searchbox Search", "combobox Owner", "combobox Kind", "combobox Change", "button Clear",
		"heading Deployment shop/web (apps/v1)", "columnheader Owner now", "columnheader Owner after", "status", "article Object", "link ConfigMap shop/banner-winter (v1) is deleted",
		`button Copy ignore_fields = ["spec.replicas"]`,
	} {
		if found[want] == 0 {
			t.Errorf("the accessibility tree lacks %s: %q", want, names)
		}
	}
}

// On paper are all objects that the filters show, in light colours and without controls.
func TestPrint(t *testing.T) {
	t.Parallel()
	o := open(t, write(t, shop...), fragment("change", "take"), scheme("dark"))
	takes := value[int](o, visible)
	o.do(script(`addEventListener("beforeprint", () => { window.printed = document.querySelectorAll("h2").length; })`))
	paper, err := chromedp.Run(o.Context, chromedp.PrintToPDF())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(paper, []byte("%PDF")) {
		t.Errorf("%d bytes are no PDF", len(paper))
	}
	sees(o, "window.printed", takes)
	sees(o, `document.querySelectorAll("h2").length`, 1)

	o.do(window(794, 1123), call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}), script(`dispatchEvent(new Event("beforeprint"))`))
	o.picture("print")
	for _, selector := range []string{"nav", "form", ".copy button"} {
		sees(o, fmt.Sprintf(`document.querySelector(%q).checkVisibility()`, selector), false)
	}
	sees(o, `getComputedStyle(document.body).backgroundColor`, "rgb(255, 255, 255)")
	sees(o, `document.documentElement.scrollWidth <= innerWidth`, true)
}

func TestNarrowWindow(t *testing.T) {
	t.Parallel()
	o := open(t, write(t, shop...), fragment("object", web), window(390, 844))
	o.picture("narrow")
	sees(o, `document.documentElement.scrollWidth <= innerWidth`, true)
	sees(o, `document.querySelector(".copy button").checkVisibility()`, true)
}

// TestLargePlans logs how much of a processor the page needs for many objects, and fails if it is of no use.
func TestLargePlans(t *testing.T) {
	for _, n := range []int{300, 2000} {
		o := open(t, write(t, large(t, n)), "", call(performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}))
		last := 0.0
		timed := func(steps string) float64 {
			o.do(script("(() => { " + steps + "; document.body.getBoundingClientRect() })()"))
			metrics, err := chromedp.Call(o.Context, performance.GetMetrics, cdp.Empty{})
			if err != nil {
				t.Fatal(err)
			}
			before := last
			for _, metric := range metrics.Metrics {
				if metric.Name == "TaskDuration" {
					last = metric.Value
				}
			}
			return (last - before) * 1000
		}
		opened := timed("")
		searched := timed(`document.getElementById("q").value = "name-7"; document.getElementById("q").dispatchEvent(new Event("input"))`)
		matches := value[int](o, visible)
		cleared := timed(`document.forms[0].reset()`)
		next := timed(`document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowDown", bubbles: true}))`)
		printed := timed(`dispatchEvent(new Event("beforeprint"))`)
		t.Logf("%d objects: open %.0f ms, search %.0f ms (%d), clear %.0f ms, next object %.0f ms, print %.0f ms", n, opened, searched, matches, cleared, next, printed)
		if opened > 10_000 || searched > 5000 || next > 5000 || matches == 0 || matches == n {
			t.Errorf("%d objects are too many, or %d match", n, matches)
		}
	}
}

// large writes a plan with many Deployments like the recorded one, and returns its file.
func large(t *testing.T, objects int) string {
	t.Helper()
	content, err := os.ReadFile(shop[0])
	if err != nil {
		t.Fatal(err)
	}
	var plan map[string]any
	if err := json.Unmarshal(content, &plan); err != nil {
		t.Fatal(err)
	}
	var one []byte
	for _, change := range plan["resource_changes"].([]any) {
		if change := change.(map[string]any); change["address"] == web {
			if one, err = json.Marshal(change); err != nil {
				t.Fatal(err)
			}
		}
	}
	all := make([]string, objects)
	for i := range all {
		all[i] = strings.NewReplacer("manifest.web", fmt.Sprintf("manifest.web[%d]", i), "name=web", fmt.Sprintf("name=name-%d", i)).Replace(string(one))
	}
	file := filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(file, []byte(`{"format_version":"1.2","resource_changes":[`+strings.Join(all, ",")+"]}"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// picture is where TestPicture writes the README's picture.
var picture = flag.String("picture", "", "the file of the README's picture, which is written")

// TestPicture makes the picture of the README.
func TestPicture(t *testing.T) {
	if *picture == "" {
		t.Skip("make picture gives the file")
	}
	o := open(t, write(t, shop...), fragment("object", web), window(1240, 600), scheme("light"))
	shot, err := chromedp.Run(o.Context, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if len(shot) > 150_000 {
		t.Errorf("the picture has %d bytes", len(shot))
	}
	if err := os.WriteFile(*picture, shot, 0o600); err != nil {
		t.Fatal(err)
	}
}
