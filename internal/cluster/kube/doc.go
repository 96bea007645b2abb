// Package kube is package cluster's port by client-go: [NewPool] once for a process, then [Pool.Client] for each
// connection, which package connect describes. The [Client] translates the answers of the API server into the typed
// errors of package cluster. It knows nothing of Terraform. Package openapi reads the schemas that the server
// publishes.
//
// A process opens one connection to a cluster (HTTP/2), loads discovery once, with two requests, and needs no client
// per object.
//
// # What is sent
//
// Client.Apply sends the part of the body that cluster.Kind.Sendable returns. Status is a subresource if discovery
// lists <plural>/status; for other custom resources it is a field like any other. Client.Apply also escapes each
// character that does not print: the server reads the patch as YAML.
//
// # Retries
//
// The client sends a request again if the failure may pass:
//
//   - The server is out of reach: for two minutes, counted from the first of all requests that got no answer. If
//     the server has never answered, for seconds only.
//   - The server is in trouble (5xx, an answer that cannot be read, a conflict of the quota): for 15 seconds.
//   - The server is busy (429): until the operation ends.
//   - The server tells the client when to come back, by a Retry-After: the client does not come earlier. If the
//     operation has less time, the request fails at once.
//
// The client may send every request twice, except one. Reads and dry-runs change nothing, applies and deletions carry a
// uid, patches carry a resourceVersion. The exception is the apply that creates an object: if it were sent twice, it
// would be unknown who created the object. The client sends it again only if the server cannot have acted on it.
// Otherwise [cluster.Create] finds out whether the object was created.
//
// If a load of discovery fails, the failure is the answer for the next 20 seconds. So a cluster that is out of
// reach costs its time once, and not once for each object.
//
// # What is believed of an answer
//
// The answer to a request for an object has to be that object: of its group, kind, name and namespace, with a uid, and
// with the uid that the request names. A server may leave the namespace out. Objects that an API server computes,
// PodMetrics for example, may lack a uid. Events of a watch that are about other objects are skipped.
//
// # When an object counts as gone
//
// "Gone" takes the object out of the state, so the client believes it only if the API server itself reports it. The 404
// has to come with a Status that names the object. After a DELETE, a GET has to confirm it.
//
// A load balancer answers with a 404 too, but without the name. Without one, it counts only if all of this holds:
//
//   - A new load of discovery lacks the kind in every version.
//   - No group version of the group failed to load.
//   - The version's own list lacks the kind as well. A kube-apiserver that has just started may not list the kinds
//     of CustomResourceDefinitions yet, but it answers 503 for paths that it does not know by then.
//
// If another version serves the kind, the client reads and deletes the object there. Discovery may list a kind for
// a moment after its definition is gone. So the client asks again for three seconds before it reports a 404 that
// discovery contradicts.
//
// # What the server does not say
//
// A refusal names one field that the schema lacks, no field if a value cannot be read, and no rule of a
// CustomResourceDefinition. On these paths alone the client reads the published schema with package openapi. If the
// client cannot read it, the server's words stand.
//
// # Strings that are matched
//
// Kubernetes defines no status reasons for schema mismatches, for etcd's limits, for quotas, or for an admission
// webhook that cannot be reached. The client matches the words of the message. The tests of bad inputs record the
// results, so they fail if a new version of Kubernetes uses other words.
package kube
