package refusals

import "regexp"

// denied are the words with which the API server introduces what an admission policy or a webhook says.
var denied = regexp.MustCompile(`(?:policy ['"][^'"]*['"].*|admission webhook "[^"]*") denied (?:the )?request: |` +
	`ValidatingAdmissionPolicy '[^']*'.* denied request: `)

// IsOfPolicy reports whether an admission policy or a webhook has refused a request, by the server's message.
func IsOfPolicy(message string) bool { return denied.MatchString(message) }
