package connect

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// sending holds the data about a request that the log shows in addition to the request itself.
type sending struct {
	object   string
	attempts atomic.Int32
}

type sendingKey struct{}

// Sending returns the context of a request and its repetitions: the log counts them, and names the object.
func Sending(ctx context.Context, object string) context.Context {
	return context.WithValue(ctx, sendingKey{}, &sending{object: object})
}

// SendingOf returns the object that the requests of a context are about; "" if it is not known.
func SendingOf(ctx context.Context) string {
	if of, is := ctx.Value(sendingKey{}).(*sending); is {
		return of.object
	}
	return ""
}

// logRequest writes a line about a request: "PATCH Deployment shop/web (apps/v1) (dry-run) 201 34ms". It has neither
// bodies nor headers, and of the query only whether the request is a dry-run or a watch.
func logRequest(request *http.Request, response *http.Response, err error, took time.Duration) {
	log := cluster.Log(request.Context()).V(cluster.Steps)
	if !log.Enabled() {
		return
	}
	what, outcome := request.URL.Path, "failed"
	var marks []string
	query := request.URL.Query()
	if query.Get("dryRun") != "" {
		marks = append(marks, "dry-run")
	}
	if query.Get("watch") == "true" {
		marks = append(marks, "watch")
	}
	if of, is := request.Context().Value(sendingKey{}).(*sending); is {
		what = cmp.Or(of.object, what)
		if attempt := of.attempts.Add(1); attempt > 1 {
			marks = append(marks, fmt.Sprintf("attempt %d", attempt))
		}
	}
	if len(marks) > 0 {
		what += " (" + strings.Join(marks, ", ") + ")"
	}
	if err == nil {
		outcome = strconv.Itoa(response.StatusCode)
	}
	line := fmt.Sprintf("%s %s %s %dms", request.Method, what, outcome, took.Milliseconds())
	if err != nil {
		line += ": " + err.Error()
	}
	log.Info(line, "path", request.URL.Path, "server", HostOf(request.URL))
}
