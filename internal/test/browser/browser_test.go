// Package browser opens the page of a report in Chromium. It is in a module of its own, because nothing else needs the
// library that drives Chromium, and runs the program as its users do.
package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

const (
	// asked is the variable with which the tests run.
	asked = "K8SCONNECT_TEST_BROWSER"
	// root is the folder of the provider's module.
	root = "../../.."
)

var (
	// chromium is the browser of all tests; nil if they are skipped.
	chromium context.Context
	// program is the provider's executable.
	program string
)

func TestMain(m *testing.M) {
	code := 1
	defer func() { os.Exit(code) }()
	if os.Getenv(asked) == "" {
		code = m.Run()
		return
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.WSURLReadTimeout(time.Minute))
		if os.Geteuid() == 0 { // Chromium refuses to sandbox what root runs. It opens nothing but the page.
			options = append(options, chromedp.NoSandbox)
		}
		allocated, end := chromedp.NewExecAllocator(context.Background(), options...)
		defer end()
		browser, stop := chromedp.NewContext(allocated)
		defer stop()
		if err := chromedp.Do(browser); err != nil {
			fmt.Fprintln(os.Stderr, path+":", err)
			return
		}
		chromium = browser
		break
	}
	if chromium == nil {
		fmt.Fprintln(os.Stderr, "There is no Chromium. Debian's package is chromium.")
		return
	}
	dir, err := os.MkdirTemp("", "k8sconnect-browser-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "terraform-provider-k8sconnect")
	if out, err := exec.Command("go", "build", "-C", root, "-o", program, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the provider: %v\n%s", err, out)
		return
	}
	code = m.Run()
}

// tab is a page in the browser. The test fails if the page says something on the console or sends a request.
type tab struct {
	*testing.T
	context.Context
	file string
}

// shop is the recorded plan, and its log.
var shop = []string{"../acceptance/conflicts/testdata/shop/plan.json", "../acceptance/conflicts/testdata/shop/plan.jsonl"}

// write makes the page of a plan, and returns its file.
func write(t *testing.T, args ...string) string {
	t.Helper()
	skipUnlessAsked(t)
	made, err := exec.CommandContext(t.Context(), program, append([]string{"report", "--format", "html"}, args...)...).Output()
	if failed, is := errors.AsType[*exec.ExitError](err); is && failed.ExitCode() == 1 {
		t.Fatalf("%s", failed.Stderr)
	} else if err != nil && !is {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, made, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func skipUnlessAsked(t *testing.T) {
	t.Helper()
	if chromium == nil {
		t.Skip("make test-page runs it")
	}
}

// open opens a page in a window, at a fragment.
func open(t *testing.T, file, fragment string, actions ...step) *tab {
	t.Helper()
	skipUnlessAsked(t)
	ctx, closeTab := chromedp.NewContext(chromium)
	t.Cleanup(closeTab)
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	o := &tab{T: t, Context: ctx, file: file}
	var mu sync.Mutex
	var said []string
	says := func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch event := event.(type) {
		case *log.EventEntryAdded:
			said = append(said, event.Entry.Text)
		case *runtime.EventConsoleAPICalled:
			said = append(said, string(event.Type))
		case *runtime.EventExceptionThrown:
			said = append(said, event.ExceptionDetails.Text)
		case *network.EventRequestWillBeSent:
			if address := event.Request.URL; !strings.HasPrefix(address, "file://"+file) && !strings.HasPrefix(address, "data:") {
				said = append(said, "a request to "+address)
			}
		}
	}
	if err := chromedp.Listen(ctx, says); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		for _, text := range said {
			t.Error("the page says:", text)
		}
	})
	actions = append([]step{call(network.Enable, network.EnableParams{}), call(log.Enable, cdp.Empty{}), window(1400, 900)}, actions...)
	o.do(append(actions, chromedp.Navigate("file://"+file+fragment))...)
	return o
}

// step is a step of a test.
type step = chromedp.Action[chromedp.Void]

// call sends a command of the protocol.
func call[P, R any](command cdp.Command[P, R], params P) step {
	return func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, command, params)
		return chromedp.Void{}, err
	}
}

func window(width, height int64) step { return chromedp.EmulateViewport(width, height) }

// scheme chooses dark or light.
func scheme(name string) step {
	return call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
}

// script runs JavaScript.
func script(text string) step { return chromedp.Evaluate[chromedp.Void](text) }

func (o *tab) do(actions ...step) {
	o.Helper()
	if err := chromedp.Do(o.Context, actions...); err != nil {
		o.Fatal(err)
	}
}

// value returns what a JavaScript expression is.
func value[T any](o *tab, expression string) T {
	o.Helper()
	result, err := chromedp.Run(o.Context, chromedp.Evaluate[T](expression))
	if err != nil {
		o.Fatalf("%s: %v", expression, err)
	}
	return result
}

// sees asserts what a JavaScript expression is.
func sees[T comparable](o *tab, expression string, want T) {
	o.Helper()
	if got := value[T](o, expression); got != want {
		o.Errorf("%s is %v, want %v", expression, got, want)
	}
}

// await waits until a JavaScript expression is true.
func (o *tab) await(expression string) {
	o.Helper()
	if _, err := chromedp.Run(o.Context, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(time.Minute))); err != nil {
		o.Fatalf("%s: %v", expression, err)
	}
}

func (o *tab) click(selector string) {
	o.Helper()
	o.do(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// picture writes what the window shows into the directory of the variable K8SCONNECT_TEST_PICTURES, for people.
func (o *tab) picture(name string) {
	o.Helper()
	dir := os.Getenv("K8SCONNECT_TEST_PICTURES")
	if dir == "" {
		return
	}
	image, err := chromedp.Run(o.Context, chromedp.CaptureScreenshot())
	if err != nil {
		o.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), image, 0o600); err != nil {
		o.Fatal(err)
	}
}

// fragment returns the fragment of a view: names and values.
func fragment(pairs ...string) string {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return "#" + values.Encode()
}
