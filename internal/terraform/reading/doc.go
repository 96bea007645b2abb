// Package reading holds what the data sources and ephemeral resources that read objects share: the arguments that name
// an object or the objects of a kind, the read of one object, and its conversion to a Terraform value.
//
// # The object as a value
//
// An object is a dynamic value. So data.k8sconnect_object.web.object.status.replicas works. A map becomes an object of
// the configuration language, a list becomes a tuple, and a null stays a null. A number equals the number with the same
// digits in a configuration. metadata.managedFields is left out; k8sconnect_field_ownership shows it.
//
// # Secrets
//
// States and plans hold the data of a Secret only in sensitive attributes. Data that is string is decoded. Terraform
// changes strings that are not in Unicode's normalization form C, and cannot hold data that is not UTF-8, so these
// values stay base64.
package reading
