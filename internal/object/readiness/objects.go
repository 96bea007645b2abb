package readiness

import (
	"fmt"
	"reflect"
)

func service(r *reader) Status {
	if r.text("spec", "type") == "LoadBalancer" {
		return addressed(r, "status", "loadBalancer", "ingress")
	}
	return exists(r)
}

func ingress(r *reader) Status { return addressed(r, "status", "loadBalancer", "ingress") }

func addressed(r *reader, names ...string) Status {
	for _, item := range r.list(names...) {
		fields, isMap := item.(map[string]any)
		if !isMap {
			r.mistyped(names)
			continue
		}
		entry := &reader{object: fields}
		if entry.text("ip") != "" || entry.text("hostname") != "" {
			return ready("The object has an address.")
		}
	}
	return inProgress("NoAddress", "No address has been assigned yet.")
}

func volumeClaim(r *reader) Status {
	switch phase := r.text("status", "phase"); phase {
	case "Bound":
		return ready("The claim has a volume.")
	case "Lost":
		return lost(phase, "The volume of the claim no longer exists.")
	}
	return inProgress("NotBound", "The claim has no volume yet; it may wait for a pod that uses it.")
}

func namespace(r *reader) Status {
	if r.text("status", "phase") != "Active" {
		return inProgress("NotActive", "The namespace is not active yet.")
	}
	return ready("The namespace is active.")
}

func gateway(r *reader) Status { return needs(r, "Accepted", "Programmed") }

// route returns Ready if as many parents accept the route as its spec names.
func route(r *reader) Status {
	want := int64(len(r.list("spec", "parentRefs")))
	have := int64(0)
	for _, item := range r.list("status", "parents") {
		fields, isMap := item.(map[string]any)
		if !isMap {
			r.mistyped([]string{"status", "parents"})
			continue
		}
		// Conditions of a parent are judged like those of an object.
		parent := &reader{object: map[string]any{"metadata": r.object["metadata"], "status": fields}}
		if needs(parent, "Accepted", "ResolvedRefs").State == Ready {
			have++
		}
		if parent.wrong != "" {
			r.mistyped([]string{"status", "parents"})
		}
	}
	message := fmt.Sprintf("%d of %d parents have accepted the route.", have, want)
	if have < want {
		return inProgress("NotAccepted", message)
	}
	return ready(message)
}

func definition(r *reader) Status {
	if c := r.condition("NamesAccepted"); c.isFalse() {
		refused := failing(c, "The API server refuses the names")
		refused.State = InProgress // The definition that has them may be going.
		return refused
	}
	return needs(r, "Established")
}

func apiService(r *reader) Status { return needs(r, "Available") }

func autoscaler(r *reader) Status {
	if c := r.condition("ScalingActive"); c.isFalse() && c.reason == "ScalingDisabled" {
		return ready("The target has no replicas, so nothing is scaled.")
	}
	return needs(r, "AbleToScale", "ScalingActive")
}

func application(r *reader) Status {
	compared := []string{"status", "sync", "comparedTo"}
	for _, name := range []string{"source", "sources"} { // An Application has no observedGeneration.
		source, seen := significant(r.value("spec", name)), significant(r.value(append(compared, name)...))
		if r.has(compared...) && !reflect.DeepEqual(source, seen) {
			return notObserved()
		}
	}
	health, sync := r.text("status", "health", "status"), r.text("status", "sync", "status")
	if health == "Healthy" && sync == "Synced" {
		return ready("The application is healthy and synced.")
	}
	return inProgress("NotHealthy", fmt.Sprintf("The application has health %q and sync status %q.", health, sync))
}

// significant returns a value without its empty parts; nil if nothing is left. Argo CD omits most of them when it
// writes what it compared, and adds other ones.
func significant(value any) any {
	switch value := value.(type) {
	case map[string]any:
		rest := map[string]any{}
		for name, part := range value {
			if part = significant(part); part != nil {
				rest[name] = part
			}
		}
		if len(rest) > 0 {
			return rest
		}
	case []any:
		rest := make([]any, 0, len(value))
		for _, item := range value {
			rest = append(rest, significant(item))
		}
		if len(rest) > 0 {
			return rest
		}
	case nil:
	default:
		if !reflect.ValueOf(value).IsZero() {
			return value
		}
	}
	return nil
}

func rollout(r *reader) Status {
	if c := r.condition("Progressing"); c.isFalse() && c.reason == "ProgressDeadlineExceeded" {
		return failing(c, "The rollout made no progress before its deadline")
	}
	if phase := r.text("status", "phase"); phase != "Healthy" {
		return inProgress("NotHealthy", saying(fmt.Sprintf("The rollout has phase %q", phase),
			r.text("status", "message")))
	}
	return ready("The rollout is healthy.")
}
