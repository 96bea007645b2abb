package main

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

// handshake is the handshake of Terraform with a provider that it starts.
var handshake = plugin.HandshakeConfig{
	MagicCookieKey:   "TF_PLUGIN_MAGIC_COOKIE",
	MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
}

// schemaMethods are the calls for the schema, by the version of the plugin protocol.
var schemaMethods = map[int]string{
	5: "/tfplugin5.Provider/GetSchema",
	6: "/tfplugin6.Provider/GetProviderSchema",
}

// connection is a plugin for go-plugin that only returns the connection to the provider.
type connection struct {
	plugin.NetRPCUnsupportedPlugin
}

// GRPCServer does nothing: only the provider's side of a connection needs it.
func (connection) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error { return nil }

// GRPCClient returns the connection.
func (connection) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return conn, nil
}

// startup returns the time from the start of a provider's process until it has returned its schema. Every command
// of the CLI waits for that.
func startup(ctx context.Context, executable string) (time.Duration, error) {
	plugins := map[int]plugin.PluginSet{}
	for version := range schemaMethods {
		plugins[version] = plugin.PluginSet{"provider": connection{}}
	}
	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig:  handshake,
		VersionedPlugins: plugins,
		Cmd:              exec.CommandContext(ctx, executable),
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		AutoMTLS:         true,
		Logger:           hclog.NewNullLogger(),
	})
	defer client.Kill()
	began := time.Now()
	protocol, err := client.Client()
	if err != nil {
		return 0, fmt.Errorf("start %s: %w", executable, err)
	}
	provider, err := protocol.Dispense("provider")
	if err != nil {
		return 0, fmt.Errorf("start %s: %w", executable, err)
	}
	dispensed, ok := provider.(*grpc.ClientConn)
	if !ok {
		return 0, fmt.Errorf("start %s: a %T is no connection", executable, provider)
	}
	// An empty message accepts any other message: its fields are unknown fields.
	err = dispensed.Invoke(ctx, schemaMethods[client.NegotiatedVersion()], &emptypb.Empty{}, &emptypb.Empty{},
		grpc.MaxCallRecvMsgSize(64<<20))
	if err != nil {
		return 0, fmt.Errorf("ask %s for its schema: %w", executable, err)
	}
	return time.Since(began), nil
}
