// Package connect makes the HTTP client of a cluster: [Open] takes a [Config], whose methods report its mistakes.
// [FromEnvironment] is the Config that environment variables describe. The package sends nothing, and knows neither
// Terraform nor the requests.
//
// Only the Config counts: no $KUBECONFIG, no localhost, and the pod's service account only if the Config asks for it.
// Environment variables count only if the caller asks for them; see [Environment]. There is no client-side rate limit
// unless qps is set: the server's priority and fairness is better informed.
//
// # Tokens in files
//
// client-go reads a token file once a minute, and goes on with a token that the server refuses. So tokenFileTransport
// reads it for each request, and sends a refused request once more if the file contains another token by then.
//
// # Credential plugins
//
// client-go runs a plugin without any limit, passes its standard error on as the provider's own, waits for it even
// after the end of the request's context, and leaves it running when the provider ends. So this package runs the plugin
// itself, as client-go does in everything else: the protocol, the versions, credentials that are used until they expire
// or the server refuses them, and connections that end with their certificate.
//
// A plugin runs in a process group of its own. It is killed with its children after 45 seconds, when no request waits
// for it any more, when it prints more than 1 MiB, and when the provider ends. If the provider itself is killed, Linux
// kills the plugin, and nothing kills its children. No error quotes the output of a plugin. Its standard error goes to
// the debug log.
//
// # Answers
//
// The outermost transport follows no redirect: client-go adds the credentials to each request, no matter to which host.
// It limits the size of an answer. If a server asks to wait for longer than the operation may take, the request fails
// at once.
package connect
