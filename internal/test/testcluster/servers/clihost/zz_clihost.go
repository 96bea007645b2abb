package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"unsafe"
)

// commandsOfAHost is how many commands a host runs before it ends and another takes its place: the CLI leaves to the
// end of its process what it has opened, its connections to providers for instance.
const commandsOfAHost = 100

// init makes the CLI a host if the variable contains the name of one. The name of this file sorts last, so that all
// other variables of the CLI are set.
func init() {
	host := os.Getenv("K8SCONNECT_TEST_CLI_HOST")
	if host == "" {
		return
	}
	input := os.Stdin // It ends with the process that has started the host; commands have an empty one.
	go func() {
		_, _ = io.Copy(io.Discard, input)
		os.Exit(0)
	}()
	if err := serveCommands(host, os.NewFile(3, "listener")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// hostedCommand and hostedResult are those of package clihost.
type hostedCommand struct {
	Dir       string
	Args, Env []string
	Combined  bool
	Provider  struct{ Program, Address string }
}

type hostedResult struct {
	Stdout, Stderr string
	Code           int
}

// serveCommands runs the commands of a listener that other hosts listen to, too, one after the other.
func serveCommands(host string, file *os.File) error {
	arguments := argumentMemory()
	cli := strings.Clone(os.Args[0])
	empty, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	os.Stdin = empty
	listener, err := net.FileListener(file)
	if err != nil {
		return err
	}
	for range commandsOfAHost {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		if err := serveCommand(cli, host, arguments, conn); err != nil {
			return err
		}
	}
	return nil
}

// serveCommand answers with the name of the host, and then with the result of the command. The end of the connection
// before its result ends the host: whoever waited for the command does not want it to go on.
func serveCommand(cli, host string, arguments []byte, conn net.Conn) error {
	defer conn.Close()
	answers := json.NewEncoder(conn)
	if err := answers.Encode(host); err != nil {
		return nil // The caller has gone before it has asked.
	}
	var asked hostedCommand
	if err := json.NewDecoder(conn).Decode(&asked); err != nil {
		return nil // As above.
	}
	if err := showCommandLine(arguments, cli, asked.Args); err != nil {
		return err
	}
	over := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, conn)
		select {
		case <-over:
		default:
			os.Exit(3)
		}
	}()
	printed, err := runHosted(cli, asked)
	close(over)
	if err != nil {
		// The caller reads it when the connection ends, which is with the process.
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return answers.Encode(printed)
}

// argumentMemory returns the memory with the arguments of the process, each with a zero byte behind it. Linux shows it
// to other processes as the command line.
func argumentMemory() []byte {
	length := 0
	for _, argument := range os.Args {
		length += len(argument) + 1
	}
	return unsafe.Slice(unsafe.StringData(os.Args[0]), length)
}

// showCommandLine makes the arguments those of a command. Providers look for the command in the command line of the
// CLI, and skip options before it: one option fills the rest of the memory.
func showCommandLine(memory []byte, cli string, args []string) error {
	begin, end := cli+"\x00-", "\x00"+strings.Join(args, "\x00")+"\x00"
	rest := len(memory) - len(begin) - len(end)
	if rest < 0 {
		return fmt.Errorf("the arguments have %d bytes too many: %q", -rest, args)
	}
	copy(memory, begin+strings.Repeat("x", rest)+end)
	return nil
}

// runHosted runs a command as a process of its own would.
func runHosted(cli string, asked hostedCommand) (hostedResult, error) {
	os.Clearenv()
	for _, variable := range asked.Env {
		key, value, _ := strings.Cut(variable, "=")
		if err := os.Setenv(key, value); err != nil {
			return hostedResult{}, err
		}
	}
	if err := os.Chdir(asked.Dir); err != nil {
		return hostedResult{}, err
	}
	if asked.Provider.Program != "" {
		detach, err := attach(asked)
		if err != nil {
			return hostedResult{}, err
		}
		defer detach()
	}
	os.Args = append([]string{cli}, asked.Args...)
	stdout, stderr := os.Stdout, os.Stderr
	defer func() { os.Stdout, os.Stderr = stdout, stderr }()
	out, err := capture(&os.Stdout)
	if err != nil {
		return hostedResult{}, err
	}
	errs := func() string { return "" }
	if asked.Combined {
		os.Stderr = os.Stdout
	} else if errs, err = capture(&os.Stderr); err != nil {
		return hostedResult{}, err
	}
	resetCLI()
	code := realMain()
	return hostedResult{Stdout: out(), Stderr: errs(), Code: code}, nil
}

// provider is a running program of package providerhost.
type provider struct {
	program  string
	requests *json.Encoder
	answers  *json.Decoder
}

// attached is the program that serves the provider to this host.
var attached provider

// attach makes the command use a new instance of the provider that the program of the command serves, and returns a
// function that ends the instance.
func attach(asked hostedCommand) (detach func(), err error) {
	if attached.program != asked.Provider.Program {
		if attached, err = startProvider(asked.Provider.Program); err != nil {
			return nil, fmt.Errorf("start the provider: %w", err)
		}
	}
	var at json.RawMessage
	if err := attached.requests.Encode(map[string]any{"Dir": asked.Dir, "Env": asked.Env}); err != nil {
		return nil, fmt.Errorf("ask for the provider: %w", err)
	}
	if err := attached.answers.Decode(&at); err != nil {
		return nil, fmt.Errorf("wait for the provider: %w", err)
	}
	all := map[string]json.RawMessage{} // The command may be attached to other providers.
	if given := os.Getenv("TF_REATTACH_PROVIDERS"); given != "" {
		if err := json.Unmarshal([]byte(given), &all); err != nil {
			return nil, err
		}
	}
	all[asked.Provider.Address] = at
	text, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	detach = func() {
		if err := errors.Join(attached.requests.Encode(struct{}{}), attached.answers.Decode(&at)); err != nil {
			fmt.Fprintln(os.Stderr, "end the provider:", err)
			os.Exit(1)
		}
	}
	return detach, os.Setenv("TF_REATTACH_PROVIDERS", string(text))
}

// startProvider starts a program of package providerhost. It ends with this process, which closes its input.
func startProvider(program string) (provider, error) {
	command := exec.Command(program)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return provider{}, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return provider{}, err
	}
	return provider{program, json.NewEncoder(in), json.NewDecoder(out)}, command.Start()
}

// capture replaces a standard stream by a pipe, and returns a function that ends it and returns what was written.
func capture(stream **os.File) (func() string, error) {
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	*stream = writer
	var written bytes.Buffer
	var reading sync.WaitGroup
	reading.Go(func() { _, _ = io.Copy(&written, reader) })
	return func() string {
		_ = writer.Close()
		reading.Wait()
		_ = reader.Close()
		return written.String()
	}, nil
}
