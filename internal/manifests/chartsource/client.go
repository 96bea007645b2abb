package chartsource

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/errcode"
	"oras.land/oras-go/v2/registry/remote/retry"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const (
	// requestTime is for a request with its redirects, its repetitions and its answer.
	requestTime  = 2 * time.Minute
	maxRedirects = 10
	// maxWords is the number of characters of a message from a server that are shown.
	maxWords = 200
)

// fetcher loads the chart of one source.
type fetcher struct {
	Source
	http *http.Client
	// origin is the URL of the repository, or of the chart; nil for a local chart. Its host gets the credentials.
	origin *url.URL
	// secrets are what no error may contain.
	secrets []string
}

func (f *fetcher) connect() error {
	settings := &tls.Config{MinVersion: tls.VersionTLS12}
	if f.CACertificate != "" {
		trusted, err := x509.SystemCertPool()
		if err != nil {
			trusted = x509.NewCertPool()
		}
		if !trusted.AppendCertsFromPEM([]byte(f.CACertificate)) {
			return errors.New("ca_certificate has no certificate in PEM format (-----BEGIN CERTIFICATE-----)")
		}
		settings.RootCAs = trusted
	}
	f.http = &http.Client{
		Timeout: requestTime,
		Transport: retry.NewTransport(encrypted{&http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
			TLSHandshakeTimeout: 10 * time.Second,
			TLSClientConfig:     settings,
			ForceAttemptHTTP2:   true,
			DisableCompression:  true, // Servers call the archives themselves compressed answers.
		}}),
		CheckRedirect: checkRedirect,
	}
	return nil
}

// encrypted refuses requests without encryption that leave the machine, also those after a redirect.
type encrypted struct{ http.RoundTripper }

func (e encrypted) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Scheme != "https" && !isLoopback(request.URL) {
		return nil, fmt.Errorf("a request without encryption, to http://%s, is refused", request.URL.Host)
	}
	return e.RoundTripper.RoundTrip(request)
}

// checkRedirect takes the credentials out of a request to another host. Go leaves them in for other ports and for
// subdomains.
func checkRedirect(request *http.Request, before []*http.Request) error {
	last := before[len(before)-1].URL
	switch {
	case len(before) >= maxRedirects:
		return fmt.Errorf("it redirects more than %d times", maxRedirects)
	case last.Scheme == "https" && request.URL.Scheme != "https":
		return fmt.Errorf("it redirects from https to http://%s, which is refused", request.URL.Host)
	case !isSameHost(request.URL, before[0].URL):
		request.Header.Del("Authorization")
	}
	return nil
}

func isSameHost(a, b *url.URL) bool { return a.Scheme == b.Scheme && a.Host == b.Host }

func isLoopback(address *url.URL) bool {
	host := address.Hostname()
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// download returns the answer to a GET.
func (f *fetcher) download(ctx context.Context, from *url.URL, limit int64) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from.String(), nil)
	if err != nil {
		return nil, err
	}
	if f.Username != "" && isSameHost(from, f.origin) {
		request.SetBasicAuth(f.Username, f.Password)
	}
	response, err := f.http.Do(request)
	if err != nil {
		return nil, f.failed(withoutQuery(from), err)
	}
	defer response.Body.Close() //nolint:errcheck // It was only read.
	if response.StatusCode != http.StatusOK {
		words, _ := io.ReadAll(io.LimitReader(response.Body, 4<<10))
		return nil, f.refused(withoutQuery(from), response.StatusCode, string(words))
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	switch {
	case err != nil:
		return nil, f.failed(withoutQuery(from), err)
	case int64(len(text)) > limit:
		return nil, fmt.Errorf("%s has more than %d MiB, which is the limit", withoutQuery(from), limit>>20)
	}
	return text, nil
}

func (f *fetcher) failed(address string, err error) error {
	var answer *errcode.ErrorResponse
	var request *url.Error
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(err, &answer):
		words := ""
		if len(answer.Errors) > 0 {
			words = answer.Errors.Error()
		}
		return f.refused(address, answer.StatusCode, words)
	case errors.Is(err, errdef.ErrNotFound):
		return f.refused(address, http.StatusNotFound, "")
	case errors.Is(err, auth.ErrBasicCredentialNotFound):
		return f.refused(address, http.StatusUnauthorized, "")
	case errors.As(err, &unknown):
		return fmt.Errorf("%s cannot be read: %w. If an authority of your own has signed the certificate, set "+
			"ca_certificate to that of the authority", address, unknown)
	case errors.As(err, &request):
		err = request.Err // Without the URL, which may be a redirect's.
	}
	return fmt.Errorf("%s cannot be read: %w", address, err)
}

// refusedError is an answer with an HTTP status that is not a success.
type refusedError struct {
	status int
	text   string
}

func (e *refusedError) Error() string { return e.text }

func (f *fetcher) refused(address string, status int, words string) error {
	advice := "Try again later, or ask who runs the server"
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		advice = "Set username and password, or check them. Credential helpers of docker are not run"
	case http.StatusNotFound:
		advice = "Check chart, repository and version; some servers answer that to who may not read, too"
	}
	if words = f.excerpt(words); words != "" {
		words = ": " + words
	}
	return &refusedError{status,
		fmt.Sprintf("%s: the answer is %d %s%s. %s", address, status, http.StatusText(status), words, advice)}
}

// shown returns the chart as the user has written it.
func (f *fetcher) shown() string {
	if f.Repository == "" {
		return fmt.Sprintf("%q", f.Chart)
	}
	return fmt.Sprintf("the chart %q of %s", f.Chart, withoutQuery(f.origin))
}

// excerpt returns the beginning of a message from a server, in one line.
func (f *fetcher) excerpt(text string) string {
	line := []rune(manifest.PrintableName(strings.Join(strings.Fields(f.hide(text)), " ")))
	if len(line) > maxWords {
		return string(line[:maxWords]) + " ..."
	}
	return string(line)
}

// queries matches what URLs contain that may be a secret.
var (
	queries   = regexp.MustCompile(`(\w://[^\s"?]*)\?[^\s"]*`)
	userInfos = regexp.MustCompile(`(\w://)[^\s"/@]*@`)
)

// keep notes a password or token, in the forms in which an answer may repeat it.
func (f *fetcher) keep(username, secret string) {
	if secret != "" {
		basic := base64.StdEncoding.EncodeToString([]byte(username + ":" + secret))
		f.secrets = append(f.secrets, secret, basic, url.QueryEscape(secret))
	}
}

func (f *fetcher) hide(text string) string {
	for _, secret := range f.secrets {
		text = strings.ReplaceAll(text, secret, "(hidden)")
	}
	return userInfos.ReplaceAllString(queries.ReplaceAllString(text, "$1"), "$1")
}

// withoutSecrets returns the error with a printable message that lacks the credentials.
func (f *fetcher) withoutSecrets(err error) error {
	if text := manifest.Printable(f.hide(err.Error())); text != err.Error() {
		return errors.New(text)
	}
	return err
}
