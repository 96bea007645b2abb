// Package connect has the connection settings of a cluster. It says what is wrong with them, and makes the HTTP client
// from them. It sends nothing, and knows neither Terraform nor the requests.
//
// Only the Config counts: no $KUBECONFIG, no localhost, and the pod's service account only if the Config asks for it. Environment
// variables count only if the caller asks for them; see Environment. There is no client-side rate limit unless qps is set: the
// server's priority and fairness is better informed.
//
// # Tokens in files
//
// client-go reads such a file once a minute, and goes on with a token that the server refuses. So tokenFileTransport reads it
// for each request, and sends a refused request once more if the file has another token by then.
//
// # Credential plugins
//
// client-go reports the failures of a plugin as those of the network, without types. It waits for a plugin whatever the
// request's context says, and it renews credentials that the server refused for the next request only. So Open puts two
// transports around it. The innermost one notes that a request has passed the plugin. The outermost one turns what
// fails before that into a *PluginError, ends the wait with the operation's timeout, and sends a refused request once
// more. No error shows what a plugin prints.
package connect
