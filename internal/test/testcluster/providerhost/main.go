// Command providerhost serves the provider to one host of the CLI. Each command gets a new instance, in its directory
// and with its environment. Without this program, a command would start the provider two to four times, and each start
// takes a tenth of a second. What the provider keeps for the time of its process, such as connections, stays.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve"
)

// request asks for an instance of the provider in a directory and an environment. The next one, which is empty, ends
// it.
type request struct {
	Dir string
	Env []string
}

// answer is how the CLI finds an instance, in the form of TF_REATTACH_PROVIDERS.
type answer struct {
	Protocol        string
	ProtocolVersion int
	Pid             int
	Test            bool
	Addr            struct{ Network, String string }
}

func main() {
	if err := serveCommands(os.Stdin, os.Stdout); !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, "providerhost:", err)
		os.Exit(1)
	}
}

// serveCommands answers requests until their end: one that asks for an instance, one that ends it, and so on.
func serveCommands(in io.Reader, out io.Writer) error {
	requests, answers := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var asked request
		if err := requests.Decode(&asked); err != nil {
			return err
		}
		if err := become(asked); err != nil {
			return err
		}
		if err := serveCommand(requests, answers); err != nil {
			return err
		}
	}
}

// serveCommand serves a new instance until the next request.
func serveCommand(requests *json.Decoder, answers *json.Encoder) error {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	found, ended := make(chan *plugin.ReattachConfig), make(chan error, 1)
	silent := hclog.New(&hclog.LoggerOptions{Output: io.Discard})
	go func() {
		ended <- serve.Serve("dev", tf6server.WithDebug(ctx, found, make(chan struct{})),
			tf6server.WithGoPluginLogger(silent))
	}()
	select {
	case config := <-found:
		if err := answers.Encode(answerOf(config)); err != nil {
			return err
		}
	case err := <-ended:
		return errors.Join(errors.New("the provider did not start"), err)
	}
	if err := requests.Decode(&request{}); err != nil {
		return err
	}
	end()
	return errors.Join(<-ended, answers.Encode(answer{}))
}

// become gives this process the directory and the environment of a command.
func become(asked request) error {
	os.Clearenv()
	for _, variable := range asked.Env {
		name, value, _ := strings.Cut(variable, "=")
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return os.Chdir(asked.Dir)
}

func answerOf(config *plugin.ReattachConfig) answer {
	at := answer{
		Protocol: string(config.Protocol), ProtocolVersion: config.ProtocolVersion, Pid: config.Pid, Test: config.Test,
	}
	at.Addr.Network, at.Addr.String = config.Addr.Network(), config.Addr.String()
	return at
}
