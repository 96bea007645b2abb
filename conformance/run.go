package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// Difference is one deviation of the server from a case.
type Difference struct {
	File string
	// Step counts from 1.
	Step int
	// What is what was compared: "owners of data.a", "value of data.a", "entries", "conflicts", "answer".
	What      string
	Want, Got string
}

// String returns a sentence with all of it.
func (d Difference) String() string {
	return fmt.Sprintf("%s step %d: %s: want %s, got %s", d.File, d.Step, d.What, d.Want, d.Got)
}

// Run tells the cases of a folder, such as [Cases], to a server and returns its differences from them, by file and
// step. The namespace has to exist; the objects of the cases are deleted. It returns an error if the cases cannot be
// read or told.
func Run(ctx context.Context, config *rest.Config, namespace string, files fs.FS) ([]Difference, error) {
	cases, err := Read(files)
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	var all []Difference
	for _, file := range slices.Sorted(maps.Keys(cases)) {
		t := &telling{client: client, namespace: namespace, of: cases[file], file: file}
		err := t.tell(ctx)
		if all = append(all, t.differences...); err != nil {
			return all, fmt.Errorf("%s step %d: %w", file, t.step, err)
		}
	}
	return all, nil
}

// telling is a case that runs.
type telling struct {
	client      dynamic.Interface
	namespace   string
	of          Case
	file        string
	step        int
	differences []Difference
}

func (t *telling) differs(what string, want, got any) {
	t.differences = append(t.differences, Difference{t.file, t.step, what, fmt.Sprint(want), fmt.Sprint(got)})
}

func (t *telling) tell(ctx context.Context) (err error) {
	if _, err := t.get(ctx); !apierrors.IsNotFound(err) {
		return cmp.Or(err, errors.New("the object of the case exists already"))
	}
	defer func() { err = errors.Join(err, t.remove(context.WithoutCancel(ctx))) }()
	for i, step := range t.of.Steps {
		t.step = i + 1
		if err := t.compareAnswer(step, t.write(ctx, step)); err != nil {
			return err
		}
		live, err := t.get(ctx)
		if apierrors.IsNotFound(err) && len(t.differences) > 0 {
			return nil // The server has refused to create it.
		}
		if err != nil {
			return err
		}
		t.compareOwners(step, live)
		if len(step.Live) > 0 {
			var want any
			if err := json.Unmarshal(step.Live, &want); err != nil {
				return err
			}
			t.compareValues("", want, live.Object)
		}
	}
	return nil
}

// at returns the client for an API version; "" is that of the case.
func (t *telling) at(version string) (dynamic.ResourceInterface, error) {
	group, err := schema.ParseGroupVersion(cmp.Or(version, t.of.Object.APIVersion))
	if err != nil {
		return nil, err
	}
	return t.client.Resource(group.WithResource(t.of.Object.Resource)).Namespace(t.namespace), nil
}

func (t *telling) get(ctx context.Context) (*unstructured.Unstructured, error) {
	api, err := t.at("")
	if err != nil {
		return nil, err
	}
	return api.Get(ctx, t.of.Object.Name, metav1.GetOptions{})
}

// remove deletes the object, even if a case has left finalizers.
func (t *telling) remove(ctx context.Context) error {
	api, err := t.at("")
	if err != nil {
		return err
	}
	end := []byte(`{"metadata":{"finalizers":null}}`)
	_, err = api.Patch(ctx, t.of.Object.Name, types.MergePatchType, end, metav1.PatchOptions{})
	if err == nil {
		err = api.Delete(ctx, t.of.Object.Name, metav1.DeleteOptions{})
	}
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// formats are the content types of the patches that send a body as it is.
var formats = map[Operation]types.PatchType{
	Merge: types.MergePatchType, Strategic: types.StrategicMergePatchType, JSON: types.JSONPatchType,
}

// write sends a step and returns the server's answer.
func (t *telling) write(ctx context.Context, step Step) error {
	api, err := t.at(step.APIVersion)
	if err != nil {
		return err
	}
	under := slices.DeleteFunc([]string{step.Subresource}, func(name string) bool { return name == "" })
	options := metav1.PatchOptions{FieldManager: step.As}
	if format, is := formats[step.Does]; is {
		_, err := api.Patch(ctx, t.of.Object.Name, format, step.Body, options, under...)
		return err
	}
	object, err := t.object(step)
	if err != nil {
		return err
	}
	switch step.Does {
	case Create:
		_, err = api.Create(ctx, object, metav1.CreateOptions{FieldManager: step.As})
	case Update:
		var live *unstructured.Unstructured
		if live, err = t.get(ctx); err == nil {
			object.SetResourceVersion(live.GetResourceVersion())
			_, err = api.Update(ctx, object, metav1.UpdateOptions{FieldManager: step.As}, under...)
		}
	default:
		body, fault := object.MarshalJSON()
		if fault != nil {
			return fault
		}
		options.Force = &step.Force
		_, err = api.Patch(ctx, object.GetName(), types.ApplyPatchType, body, options, under...)
	}
	return err
}

// object returns the body with the identity of the object.
func (t *telling) object(step Step) (*unstructured.Unstructured, error) {
	object := &unstructured.Unstructured{}
	if err := json.Unmarshal(step.Body, &object.Object); err != nil {
		return nil, err
	}
	object.SetAPIVersion(cmp.Or(step.APIVersion, t.of.Object.APIVersion))
	object.SetKind(t.of.Object.Kind)
	object.SetName(t.of.Object.Name)
	return object, nil
}
