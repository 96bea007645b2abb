package connect

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// sending is what the log says of a request beside what is sent.
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

// logRequest writes a line about a request. It has neither bodies nor headers, and of the query only whether the
// request is a dry-run or a watch.
func logRequest(request *http.Request, response *http.Response, err error, took time.Duration) {
	log := cluster.Log(request.Context()).V(cluster.Steps)
	if !log.Enabled() {
		return
	}
	attempt := int32(1)
	of, is := request.Context().Value(sendingKey{}).(*sending)
	if is {
		attempt = of.attempts.Add(1)
	}
	fields := []any{
		"method", request.Method, "path", request.URL.Path, "server", hostOf(request.URL),
		"attempt", attempt, "ms", took.Milliseconds(),
	}
	if is && of.object != "" {
		fields = append(fields, "object", of.object)
	}
	query := request.URL.Query()
	if query.Get("dryRun") != "" {
		fields = append(fields, "dry_run", true)
	}
	if query.Get("watch") == "true" {
		fields = append(fields, "watch", true)
	}
	if err != nil {
		fields = append(fields, "error", err.Error())
	} else {
		fields = append(fields, "status", response.StatusCode)
	}
	log.Info("Request", fields...)
}
