package ownership

// reactions describes what tools that use server-side apply do when a field of theirs has another value and owner.
var reactions = map[string]string{
	"helm": `Helm does not force its applies: ` +
		`the next "helm upgrade" fails with a conflict on this field.`,
	"kustomize-controller": "Flux forces its applies: it takes the field back when it reconciles next.",
	"argocd-controller": "Argo CD forces its applies: it shows the application as out of sync, and its " +
		"next sync takes the field back.",
	"argocd-application-controller": "Argo CD forces its applies: it shows the application as out of sync, and its " +
		"next sync takes the field back.",
}

// Reaction returns a sentence about what a well-known tool does when it loses a field; "" for any other manager.
func (m Manager) Reaction() string {
	if m.Operation != applies || m.Subresource != "" {
		return ""
	}
	return reactions[m.Name]
}
