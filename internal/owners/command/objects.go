package command

import (
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/blame"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/owners"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/page"
)

// pageSize is how many objects one LIST returns at most.
const pageSize = 500

type objectJSON struct {
	APIVersion string      `json:"api_version"`
	Kind       string      `json:"kind"`
	Namespace  string      `json:"namespace,omitempty"`
	Name       string      `json:"name"`
	Managers   []ownerJSON `json:"managers"`
	Fields     []fieldJSON `json:"fields"`
	Stale      []fieldJSON `json:"stale"`
	Unowned    []fieldJSON `json:"unowned"`
}

type ownerJSON struct {
	Manager     string     `json:"manager"`
	Operation   string     `json:"operation"`
	APIVersion  string     `json:"api_version"`
	Subresource string     `json:"subresource,omitempty"`
	Time        *time.Time `json:"time"`
	Fields      int        `json:"fields,omitempty"`
}

type fieldJSON struct {
	Path   string      `json:"path"`
	Value  *string     `json:"value"`
	Owners []ownerJSON `json:"owners,omitempty"`
}

// objects prints the owners of the objects that args name. An object that cannot be read does not keep the others from
// being printed.
func (o *options) objects(args []string, progress *progressPrinter) error {
	namespace, _, err := o.flags.ToRawKubeConfigLoader().Namespace()
	if err != nil {
		return err
	}
	result := resource.NewBuilder(o.flags).Unstructured().NamespaceParam(namespace).DefaultNamespace().
		AllNamespaces(o.all).LabelSelectorParam(o.selector).RequestChunksOf(pageSize).
		ResourceTypeOrNameArgs(true, args...).ContinueOnError().Flatten().Do()
	read := []objectJSON{}
	var pages []report.Object
	err = result.Visit(func(info *resource.Info, failed error) error {
		if failed != nil {
			return failed
		}
		object, is := info.Object.(*unstructured.Unstructured)
		if !is {
			return fmt.Errorf("%s is no object", info.ObjectName())
		}
		progress.objects.Add(1)
		found, err := blame.Read(object.Object, object.GetManagedFields(), blame.Query{Status: o.statusFields()})
		if err != nil {
			return fmt.Errorf("%s: %w", info.ObjectName(), err)
		}
		read = append(read, jsonOf(object, found))
		switch {
		case o.output != "":
			return nil
		case o.page:
			of := shown(manifest.IdentityOf(object))
			of.Lines = linesOf(found.Fields)
			pages = append(pages, of)
			return nil
		}
		return o.printYAML(len(read) > 1, found.AnnotatedYAML)
	})
	progress.stop()
	switch {
	case err != nil && len(read) == 0:
		return err
	case o.output != "":
		err = errors.Join(o.encode(map[string]any{"version": owners.Version, "objects": read}), err)
	case o.page:
		err = errors.Join(page.Live(o.Out, pages, nil), err)
	case err == nil && len(read) == 0:
		_, err = fmt.Fprintln(o.ErrOut, "No resources found")
	}
	return err
}

func (o *options) printYAML(isNext bool, text string) error {
	if isNext {
		text = "---\n" + text
	}
	_, err := fmt.Fprint(o.Out, text)
	return err
}

func jsonOf(object *unstructured.Unstructured, report blame.Report) objectJSON {
	out := objectJSON{
		APIVersion: object.GetAPIVersion(), Kind: object.GetKind(), Namespace: object.GetNamespace(),
		Name: object.GetName(), Managers: []ownerJSON{},
		Fields: fieldsOf(report.Fields), Stale: fieldsOf(report.Stale), Unowned: fieldsOf(report.Unowned),
	}
	for _, manager := range report.Managers {
		owner := ownerOf(manager.Holder)
		owner.Fields = manager.Fields
		out.Managers = append(out.Managers, owner)
	}
	return out
}

func fieldsOf(fields []blame.Field) []fieldJSON {
	out := make([]fieldJSON, len(fields))
	for i, field := range fields {
		out[i] = fieldJSON{Path: field.Path, Value: field.Value}
		for _, owner := range field.Owners {
			out[i].Owners = append(out[i].Owners, ownerOf(owner))
		}
	}
	return out
}

func ownerOf(holder ownership.Holder) ownerJSON {
	owner := ownerJSON{
		Manager: holder.Name, Operation: string(holder.Operation), APIVersion: holder.APIVersion,
		Subresource: holder.Subresource,
	}
	if at := holder.Time.UTC(); !holder.Time.IsZero() {
		owner.Time = &at
	}
	return owner
}
