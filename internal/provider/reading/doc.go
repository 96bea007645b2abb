// Package reading has what the data sources and ephemeral resources that read objects share: the arguments that name an object or
// the objects of a kind, how one object is read, and the form in which configurations take it.
//
// # The object as a value
//
// An object is a value of a type of its own, so that data.k8sconnect_object.web.object.status.replicas just works. A map
// of the object is an object of the configuration language, a list is a tuple, and a null of the server is a null. Numbers are
// those that the same digits in a configuration are. metadata.managedFields is left out; k8sconnect_field_ownership shows it.
//
// # Secrets
//
// What is kept in a state or a plan holds the data of a Secret in sensitive attributes alone. A text stays what it is. Terraform
// changes texts that are not in Unicode's normalization form C, and has none that are not UTF-8, so these values are base64.
package reading
