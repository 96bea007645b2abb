package cluster

import (
	"fmt"
	"strings"
	"time"
)

// RedirectError reports an answer that names another place for the request. Nothing was sent there.
type RedirectError struct {
	// Status is the HTTP status of the answer.
	Status int
	// From is the URL of the server that answered, To that of the server that it names, both without a path. To is ""
	// if the answer names none that can be read.
	From, To string
}

func (e *RedirectError) Error() string {
	to := " to " + e.To
	switch e.To {
	case "":
		to = " that names no server"
	case e.From:
		to = " to another path on the same host"
	}
	return fmt.Sprintf(
		"%s answered with a redirect (HTTP %d)%s, and redirects are not followed: the credentials and the object "+
			"would go with the request",
		e.From,
		e.Status,
		to,
	)
}

// ThrottledError reports a request that was not sent, because QPS, the limit of the provider, leaves no time for it.
type ThrottledError struct{ QPS float32 }

func (e *ThrottledError) Error() string {
	return fmt.Sprintf("qps = %v of the provider leaves no time for the request before the operation's timeout", e.QPS)
}

// BusyError reports a server that asks to wait for longer than the operation may take.
type BusyError struct {
	Server string
	// Status is the HTTP status of the answer.
	Status int
	// Wait is the pause that the server asks for, Left the rest of the operation's timeout; 0 if the request had
	// another limit.
	Wait, Left time.Duration
}

func (e *BusyError) Error() string {
	said := fmt.Sprintf("the API server at %s is busy (HTTP %d) and asks to wait for %s",
		e.Server, e.Status, spell(e.Wait))
	if e.Left == 0 {
		return said
	}
	return said + fmt.Sprintf("; %s are left of the operation's timeout", seconds(e.Left))
}

// spell returns a duration in words: "an hour", "90 s".
func spell(d time.Duration) string {
	for _, unit := range []struct {
		length    time.Duration
		one, many string
	}{{24 * time.Hour, "a day", "days"}, {time.Hour, "an hour", "hours"}, {time.Minute, "a minute", "minutes"}} {
		switch {
		case d == unit.length:
			return unit.one
		case d > unit.length && d%unit.length == 0:
			return fmt.Sprintf("%d %s", d/unit.length, unit.many)
		}
	}
	return seconds(d)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%d s", d.Round(time.Second)/time.Second) }

// WrongAnswerError reports a successful answer that is not the object that was asked for.
type WrongAnswerError struct {
	// Server is the URL of the server without a path, Method that of the request.
	Server, Method string
	// Answer describes the response that came instead of the object. It contains no data of an object.
	Answer string
}

func (e *WrongAnswerError) Error() string {
	return fmt.Sprintf("the answer of %s to %s is not the object that was asked for: it is %s", e.Server, e.Method,
		e.Answer)
}

// AnswerTooLargeError reports an answer that the provider does not read to its end.
type AnswerTooLargeError struct {
	Server string
	// Limit is the largest answer in bytes that the provider reads for this request.
	Limit int64
}

func (e *AnswerTooLargeError) Error() string {
	return fmt.Sprintf("the answer of %s is larger than %d MiB, the most that the provider reads", e.Server,
		e.Limit>>20)
}

// ProxyError reports an HTTP proxy that does not connect to the server.
type ProxyError struct {
	// Proxy is the host and port of the proxy.
	Proxy string
	// Status is its answer, "407 Proxy Authentication Required".
	Status string
	// Code is the HTTP status.
	Code int
}

func (e *ProxyError) Error() string {
	return fmt.Sprintf("the proxy %s refused to connect: %s", e.Proxy, e.Status)
}

// ProtocolError reports a server that uses TLS where the connection does not, or the other way round.
type ProtocolError struct {
	// UsesTLS reports whether the server uses TLS.
	UsesTLS bool
}

func (e *ProtocolError) Error() string {
	if e.UsesTLS {
		return "the server expects https, and the connection uses http"
	}
	return "the server answers in http, and the connection uses https"
}

// shownRunes is how much of a name in an answer an error shows.
const shownRunes = 100

// Shown returns a string of an answer as an error may show it: bounded, and quoted if it has characters that do not
// print.
func Shown(text string) string {
	runes := []rune(text)
	if len(runes) > shownRunes {
		text = string(runes[:shownRunes]) + "..."
	}
	if quoted := fmt.Sprintf("%q", text); quoted != `"`+text+`"` || strings.ContainsAny(text, " ") || text == "" {
		return quoted
	}
	return text
}
