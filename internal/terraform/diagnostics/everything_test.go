package diagnostics_test

import (
	"context"
	"crypto/x509"
	"errors"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/importing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/obstacles"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patching"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
)

// report is one call of a method of Names. A resource without the attributes that the method needs never calls it.
type report struct {
	method string
	about  []string
	build  func(diagnostics.Names) diag.Diagnostics
}

func reporting(method string, build func(diagnostics.Names) diag.Diagnostic, about ...string) report {
	return report{method, about, func(w diagnostics.Names) diag.Diagnostics { return diag.Diagnostics{build(w)} }}
}

var (
	allOperations = []diagnostics.Operation{
		diagnostics.Planned, diagnostics.Created, diagnostics.Read, diagnostics.Updated, diagnostics.Deleted, diagnostics.Imported, diagnostics.Listed,
	}
	tuner = holder("tuner", metav1.ManagedFieldsOperationUpdate, "", time.Hour)
)

// everything returns calls that together build every sentence in which a resource may name an attribute.
func everything() []report {
	return slices.Concat(failures(), refusedObjects(), reportsOfPlans(), reportsOfLosses(), reportsOfConnections())
}

// failures are errors that operations of any resource meet.
func failures() []report {
	var all []report
	add := func(operation diagnostics.Operation, err error, about ...string) {
		all = append(all, reporting("Error", func(w diagnostics.Names) diag.Diagnostic { return w.Error(operation, web, err) }, about...))
	}
	for _, operation := range allOperations {
		for _, reason := range reasons {
			add(operation, failing(reason, "what was seen"))
		}
		for _, message := range []string{"failed calling webhook", "exceeded quota", "denied the request", "is attempting to grant RBAC permissions not currently held"} {
			add(operation, failing(cluster.ReasonForbidden, message))
		}
		for _, cause := range []error{x509.UnknownAuthorityError{}, x509.HostnameError{}, x509.CertificateInvalidError{Reason: x509.Expired}, x509.CertificateInvalidError{}} {
			add(operation, &cluster.Error{Reason: cluster.ReasonUnreachable, Object: web, Message: "x509", Cause: cause})
		}
		for _, cause := range []error{
			&cluster.ProxyError{Proxy: "proxy:3128", Status: "403 Forbidden"}, &cluster.ProtocolError{UsesTLS: true}, &cluster.ProtocolError{},
			&cluster.WrongAnswerError{Server: "https://api", Method: "GET", Answer: "a list"}, &cluster.AnswerTooLargeError{Server: "https://api", Limit: 16 << 20},
		} {
			add(operation, &cluster.Error{Reason: cluster.ReasonUnreachable, Object: web, Message: cause.Error(), Cause: cause})
		}
		for _, reason := range []cluster.Reason{cluster.ReasonNamespaceNotFound, cluster.ReasonNamespaceTerminating, cluster.ReasonWebhookUnreachable} {
			add(operation, &run.StillMissingError{Waited: time.Second, Last: failing(reason, "what was seen")})
		}
		add(operation, &run.StillMissingError{Last: failing(cluster.ReasonNamespaceNotFound, "what was seen"), End: run.GaveWay})
		add(operation, context.DeadlineExceeded)
		add(operation, errors.New("odd"))
	}
	for _, later := range []string{"", "other.uid"} {
		all = append(all, reporting("Error", func(w diagnostics.Names) diag.Diagnostic {
			w.Target, w.Reads.KnownInApply = "its name", later
			return w.Error(diagnostics.Read, web, failing(cluster.ReasonNotFound, "what was seen"))
		}, "Reads.Optional"))
	}
	add(diagnostics.Followed, failing(cluster.ReasonForbidden, "what was seen"))
	add(diagnostics.Followed, failing(cluster.ReasonKindNotServed, "what was seen"))
	add(diagnostics.ForceDeleted, failing(cluster.ReasonDeletionBlocked, "what was seen"), arguments.ForceDestroy)
	return all
}

// refusedObjects are errors about what a resource applies or wants to manage.
func refusedObjects() []report {
	var all []report
	add := func(err error, about ...string) {
		all = append(all, reporting("Error", func(w diagnostics.Names) diag.Diagnostic { return w.Error(diagnostics.Planned, web, err) }, about...))
	}
	refusal := failing(cluster.ReasonInvalid, "what was seen")
	refused := obstacles.RefusedError{Refusal: refusal}
	part := []ownership.Change{{Field: cpu, Owners: []ownership.Holder{tuner}}}
	for _, field := range []string{"spec.f", ""} {
		for _, problem := range []string{"expected string", "expected map", "field not declared in schema", "associative list without keys has an element that's a map type"} {
			add(mismatch(cluster.SchemaMismatchError{Field: field, Problem: problem, Of: cluster.MismatchInManifest}))
			add(mismatch(cluster.SchemaMismatchError{Field: field, Problem: problem, Of: cluster.MismatchInObject}))
		}
	}
	add(mismatch(cluster.SchemaMismatchError{Undeclared: []cluster.UndeclaredField{{Path: "spec.a", Nearest: []string{"spec.b"}}, {Path: "spec.c"}}}))
	add(&cluster.Error{Reason: cluster.ReasonInvalid, Object: web, Message: "refused", Details: &cluster.InvalidError{
		Rules: []cluster.BrokenRule{{Field: "spec", Rule: "self == oldSelf"}, {Rule: "true"}},
	}})
	add(&cluster.Error{Reason: cluster.ReasonFieldManagerConflict, Object: web, Message: "conflict", Details: &cluster.FieldManagerConflictError{
		Causes: []metav1.StatusCause{{Field: ".spec.replicas"}},
	}})
	add(&run.AlreadyExistsError{Object: web, Traces: run.Traces{Orphan: true}})
	add(&run.AlreadyExistsError{Object: web, Traces: run.Traces{Orphan: true}, Since: true})
	add(&run.AlreadyExistsError{Object: web, Since: true, Managers: []string{"bob"}})
	add(recreated)
	add(&run.AlreadyManagedError{Object: web})
	for _, other := range []run.NewResource{{}, {FieldManager: "k8sconnect", Source: "shop/web.yaml"}} {
		add(&run.AlreadyManagedError{Object: web, New: &other, SameBody: true}, "Body")
		add(&run.AlreadyManagedError{Object: web, New: &other}, "Body")
	}
	add(&run.NameInUseError{Object: web})
	for _, this := range []run.Share{{FieldManager: "a", IsPart: true}, {FieldManager: "a"}} {
		add(&run.SharedError{Object: web, This: this, Other: run.Share{FieldManager: "a", IsPart: true}})
		add(&run.PatchedError{Object: web, Parts: []run.Share{{FieldManager: "patch"}}})
		add(&run.PatchedError{Object: web, Parts: []run.Share{{FieldManager: "patch"}}, IsLeaving: true})
		add(&run.SharedError{Object: web, This: this, Other: run.Share{FieldManager: "b", IsPart: true}, Applied: []string{"spec.a"}})
		add(&run.SharedError{Object: web, This: run.Share{IsPart: true}, Other: run.Share{FieldManager: "b"}, Applied: []string{"spec.a"}})
		add(&run.SharedError{Object: web, This: this, Other: run.Share{FieldManager: "b", IsPart: true}, Removed: []string{"spec.a"}})
	}
	add(&importing.OwnsNothingError{Object: web, Manager: "a"})
	add(&importing.OwnsNothingError{Object: web, Manager: "a", Managers: []string{"b", "c"}})
	immutable := []ownership.Change{{Field: "spec.selector", Was: "{}", Becomes: `{"a":"b"}`}}
	add(&ssa.UnreplaceableError{Object: web, IsPart: true, Fields: immutable}, "Body")
	add(&ssa.UnreplaceableError{Object: web, Fields: immutable}, "Body")
	add(&run.ProtectedError{Object: web}, arguments.DeleteProtection)
	add(&wanted.NotIgnorableError{Pattern: "spec.a.b", Whole: "spec.a", Why: projection.Atomic}, arguments.IgnoreFields)
	add(&obstacles.DuplicateItemError{RefusedError: refused, Undeclared: part}, "Body")
	add(&obstacles.HalfRemovedError{RefusedError: refused, Fields: []string{"spec.a"}, Parts: part, TakeOver: []string{"tuner"}}, "Body")
	add(&obstacles.UnremovableError{RefusedError: refused, Fields: []string{"spec.a"}}, "Body", arguments.RemoveFields)
	add(&cluster.OutcomeUnknownError{Object: web, Last: refusal})
	add(&obstacles.PinsRefusedError{RefusedError: refused, Pinned: []string{"spec.clusterIP"}}, "Body", arguments.PinFields)
	add(&obstacles.PinsRefusedError{RefusedError: refused, Pinned: []string{"spec.clusterIP"}, Beside: part}, "Body", arguments.PinFields)
	add(&obstacles.BlockedError{RefusedError: refused, Fields: part}, "Body")
	add(&obstacles.BlockedError{RefusedError: refused, Fields: part, Stays: true}, "Body")
	add(&obstacles.DefaultsError{RefusedError: refused, Fields: part, Zero: []string{cpu}}, "Body")
	add(&obstacles.HeldError{RefusedError: refused, Fields: part, Ignored: []string{"spec.c"}}, "Body", arguments.IgnoreFields)
	add(&obstacles.BlockedError{RefusedError: refused, Fields: part, Ignored: []string{"spec.a"}}, "Body", arguments.IgnoreFields)
	add(&obstacles.BlockedError{RefusedError: refused, Fields: part, Lacking: []string{"spec.b"}}, "Body")
	for _, form := range []projection.ListForm{projection.Associative, projection.AtomicList, projection.NoList} {
		for _, gone := range [][]string{nil, {"spec.l[=1]"}} {
			list := wanted.CountedList{Field: "spec.l", Length: 1, ListLength: arguments.ListLength{Min: 2}, Form: form, Gone: gone}
			add(&ssa.ListsError{Object: web, Lists: []wanted.CountedList{list}}, arguments.ListLengths)
		}
	}
	return all
}

// lists are two lists that are too long.
func lists() []wanted.CountedList {
	limit := arguments.ListLength{Pattern: paths.PatternsOf([]string{"spec.l"})[0], Max: 1}
	return []wanted.CountedList{
		{Field: "spec.l", Length: 3, ListLength: limit, Undeclared: []wanted.Entry{{Field: "spec.l[=1]", Owners: []ownership.Holder{tuner}}, {Field: "spec.l[=2]"}}},
		{Field: "spec.m", Length: 2, ListLength: limit},
	}
}

// reportsOfPlans are about plans and applies, which send a body.
func reportsOfPlans() []report {
	other := []ownership.Holder{tuner}
	fieldChanges := []ownership.Change{
		{Field: "spec.a", What: ownership.Unclaimed, Was: "1", Becomes: "2"},
		{Field: "spec.b", What: ownership.Unclaimed, Was: "1", Becomes: "2", Owners: other},
		{Field: "spec.c", What: ownership.Unclaimed, Was: "1", Becomes: ownership.RemovedValue},
		{Field: "spec.d", What: ownership.Unclaimed, Was: "1", Becomes: ownership.RemovedValue, Owners: other},
		{Field: "spec.e", What: ownership.Retaking, Was: "1", Becomes: "2"},
		{Field: "spec.f", What: ownership.Changing, Was: "1", Becomes: "1", WasType: ownership.AString, BecomesType: "a number"},
		{Field: "spec.g", What: ownership.Leaving, Was: "1", Why: ownership.Ignored},
		{Field: "spec.h", What: ownership.Leaving, Was: "1", Owners: other},
		{Field: "spec.i", What: ownership.Declaring, Becomes: "1", Owners: other},
		{Field: "spec.j", What: ownership.Overruling, Was: "1", Becomes: "2", Owners: other},
		{Field: "spec.k", What: ownership.Retaking, Was: "1", Becomes: "2", Owners: other, Again: 3},
	}
	patterns := []wanted.UnmatchedPattern{{Text: "spec.x", Nearest: []string{"spec.y"}}, {Text: "$.spec", Translated: "spec"}}
	awaited := func(reason cluster.Reason) ssa.Plan {
		details := map[cluster.Reason]error{
			cluster.ReasonKindNotServed:      &cluster.KindNotServedError{Nearest: []string{"apps/v1 Deployments"}},
			cluster.ReasonNamespaceNotFound:  &cluster.NamespaceNotFoundError{Nearest: []string{"shop"}},
			cluster.ReasonWebhookUnreachable: &cluster.WebhookUnreachableError{Name: "w"},
		}
		return ssa.Plan{Object: web, Awaited: ssa.Awaited{Err: &cluster.Error{Reason: reason, Object: web, Message: "not there", Details: details[reason]}}}
	}
	image := `{"image":"evil:1"}`
	reset := ssa.Plan{Object: web, Additions: ssa.Additions{Policy: arguments.Warn}}
	added := ssa.Plan{Object: web, Additions: ssa.Additions{Fields: []prediction.Addition{{
		Addition: additions.Addition{Path: paths.Path{paths.Field("spec")}, Owners: []ownership.Holder{{Manager: ownership.Manager{Name: "kubectl-edit"}}}},
		Field:    "spec", Value: &image,
	}}}}
	refusing := added
	refusing.Additions.Policy = arguments.FailOnAddition
	all := []report{
		{"LeftOut", []string{"Body"}, func(w diagnostics.Names) diag.Diagnostics {
			return w.LeftOut(web, []string{"status", "metadata.uid", cluster.NamespaceField})
		}},
		reporting("changes.Additions", func(w diagnostics.Names) diag.Diagnostic { return changes.Additions(w, added, now) }, "Body", arguments.IgnoreFields, arguments.OnAddition),
		reporting("changes.Refused", func(w diagnostics.Names) diag.Diagnostic { return changes.Refused(w, refusing, now) }, "Body", arguments.IgnoreFields, arguments.OnAddition),
		reporting("changes.Refused", func(w diagnostics.Names) diag.Diagnostic { return changes.Refused(w, planOf(fieldChanges, nil), now) }, "Body"),
		reporting("Unmatched", func(w diagnostics.Names) diag.Diagnostic { return w.Unmatched(web, patterns) }, "Body", arguments.IgnoreFields),
		reporting("Error", func(w diagnostics.Names) diag.Diagnostic {
			cause := &patches.Error{Problem: "operation 1 failed", Suggestion: "Look at the object."}
			return w.Error(diagnostics.Planned, web, &patching.PatchError{Object: web, Cause: cause, Values: "The patch expects 1."})
		}, "Body"),
		reporting("unready.NotReady", func(w diagnostics.Names) diag.Diagnostic {
			status := readiness.Status{State: readiness.InProgress, Reason: "RollingOut", Message: "1 of 3 new pods are ready."}
			return unready.NotReady(w, &waiting.NotReadyError{Object: web, Status: status, Waited: time.Minute}, unready.OnlyReported)
		}),
		reporting("unready.NotReady", func(w diagnostics.Names) diag.Diagnostic {
			status := readiness.Status{State: readiness.Failed, Reason: "FailedCreate", Message: "The quota is exceeded."}
			return unready.NotReady(w, &waiting.NotReadyError{Object: web, Status: status, Waited: time.Minute}, unready.Tainted)
		}),
		reporting("unready.NoUndo", func(w diagnostics.Names) diag.Diagnostic { return unready.NoUndo(w, web, unready.Recreates) }),
		{"unready.NotReady", []string{"Target"}, func(w diagnostics.Names) diag.Diagnostics {
			var all diag.Diagnostics
			for _, missing := range []error{nil, failing(cluster.ReasonNotFound, "what was seen"), &cluster.Error{
				Reason: cluster.ReasonKindNotServed, Object: web, Message: "what was seen", Details: &cluster.KindNotServedError{Nearest: []string{"apps/v1 Deployment"}},
			}} {
				for _, state := range []readiness.State{readiness.InProgress, readiness.Failed} {
					status := readiness.Status{State: state, Reason: "FailedCreate", Message: "The quota is exceeded."}
					err := &waiting.NotReadyError{Object: web, Status: status, Waited: time.Minute, Missing: missing, Deleted: missing != nil && state == readiness.Failed}
					all = append(all, unready.NotReady(w, err, unready.NotStored), unready.NotReady(w, err, unready.PriorKept), unready.NotReady(w, err, unready.WaitsAgain), unready.NotReady(w, err, unready.ActionFailed),
						unready.NotReady(w, err, unready.ActionReported), unready.NotReady(w, err, unready.RestartFailed), unready.JobNotComplete(w, err, "kubectl logs"))
					err.Status.Final = true
					all = append(all, unready.JobNotComplete(w, err, "kubectl logs"))
				}
			}
			return all
		}},
		{"unready.JobNotComplete", nil, func(w diagnostics.Names) diag.Diagnostics {
			return diag.Diagnostics{unready.JobNotComplete(w, &waiting.NotReadyError{Object: web}, "kubectl logs")}
		}},
		reporting("Cancelled", func(w diagnostics.Names) diag.Diagnostic { return w.Cancelled("") }),
		reporting("changes.AddsItems", func(w diagnostics.Names) diag.Diagnostic {
			return changes.AddsItems(w, web, []ownership.Change{{Field: "spec.l[name=\"a\"]", With: "spec.l[name=\"b\"]"}, {Field: "spec.m[name=\"a\"]"}})
		}),
		reporting("sets.Along", func(w diagnostics.Names) diag.Diagnostic { return sets.Along(w, web, []string{"a", "b"}, true) }, arguments.OnDestroy),
		reporting("sets.Data", func(w diagnostics.Names) diag.Diagnostic {
			return sets.Data(w, web, sets.Loss{Volumes: []string{"a", "b"}, IsKnown: true, Keep: "kubectl"})
		}, arguments.DeleteProtection, arguments.OnDestroy),
		reporting("sets.Data", func(w diagnostics.Names) diag.Diagnostic {
			return sets.Data(w, web, sets.Loss{Volumes: []string{"a"}, Keep: "kubectl", IsScaled: true})
		}),
		reporting("sets.Orphaned", func(w diagnostics.Names) diag.Diagnostic { return sets.Orphaned(w, web, web) }),
		reporting("sets.Unowned", func(w diagnostics.Names) diag.Diagnostic { return sets.Unowned(w, web, []string{"Job a, uid b"}) }),
		reporting("sets.Unlisted", func(w diagnostics.Names) diag.Diagnostic {
			return sets.Unlisted(w, web, true, errors.New("no"))
		}, arguments.DeleteProtection, arguments.OnDestroy),
		reporting("sets.InUse", func(w diagnostics.Names) diag.Diagnostic {
			return sets.InUse(w, web, []string{"a"}, 1)
		}, arguments.DeleteProtection, arguments.OnDestroy),
		reporting("sets.InUse", func(w diagnostics.Names) diag.Diagnostic { return sets.InUse(w, web, []string{"a"}, 0) }, arguments.DeleteProtection),
		{"changes.RemovedByTTL", []string{"Body", arguments.Once}, func(w diagnostics.Names) diag.Diagnostics {
			return changes.RemovedByTTL(w, job, map[string]any{"spec": map[string]any{"ttlSecondsAfterFinished": int64(0)}})
		}},
		reporting("changes.NotSeenComplete", func(w diagnostics.Names) diag.Diagnostic { return changes.NotSeenComplete(w, job) }, arguments.Once),
		reporting("changes.RunsAgain", func(w diagnostics.Names) diag.Diagnostic { return changes.RunsAgain(w, job, changes.BodyChanged) }, "Body"),
		reporting("changes.RunsAgain", func(w diagnostics.Names) diag.Diagnostic { return changes.RunsAgain(w, job, changes.NoLongerOnce) }),
		reporting("changes.OnceUnseen", func(w diagnostics.Names) diag.Diagnostic { return changes.OnceUnseen(w, job) }, arguments.Once),
		{"changes.Warnings", nil, func(w diagnostics.Names) diag.Diagnostics {
			return changes.Warnings(w, ssa.Plan{Object: job, Remarks: cluster.Remarks{Warnings: []string{"something failed"}}}, changes.About{})
		}},
		{"changes.OfFields", []string{"Body"}, func(w diagnostics.Names) diag.Diagnostics {
			return changes.OfFields(w, ssa.Plan{Object: job}, changes.About{Recreated: recreated})
		}},
		reporting("invalid.Once", func(w diagnostics.Names) diag.Diagnostic { return invalid.Once(w, web) }, "Body"),
		reporting("sets.OfAnotherState", func(w diagnostics.Names) diag.Diagnostic {
			return sets.OfAnotherState(w, "k8sconnect-1", []string{"a"})
		}, arguments.FieldManager, arguments.AdoptExisting),
		reporting("sets.StillNeeded", func(w diagnostics.Names) diag.Diagnostic { return sets.StillNeeded(w, web, []string{"a"}) }),
		reporting("changes.OwnersReset", func(w diagnostics.Names) diag.Diagnostic { return changes.OwnersReset(w, reset) }, arguments.OnAddition),
		reporting("changes.Superseded", func(w diagnostics.Names) diag.Diagnostic { return changes.Superseded(w, web) }),
		reporting("changes.CreatedAgain", func(w diagnostics.Names) diag.Diagnostic { return changes.CreatedAgain(w, web) }),
		reporting("changes.AppliedWithWarnings", func(w diagnostics.Names) diag.Diagnostic {
			return changes.AppliedWithWarnings(w, web, []ssa.Warning{"something failed"})
		}),
		reporting("changes.WrittenByOwnManager", func(w diagnostics.Names) diag.Diagnostic {
			return changes.WrittenByOwnManager(w, web, "shop")
		}),
		reporting("changes.OfVersion", func(w diagnostics.Names) diag.Diagnostic { return changes.OfVersion(w, web, web) }),
		reporting("changes.Converts", func(w diagnostics.Names) diag.Diagnostic {
			return changes.Converts(w, ssa.Plan{Object: web, Managers: ssa.Managers{Converted: []ownership.Claim{{Manager: ownership.Manager{Name: "bob", Operation: "Update", APIVersion: "apps/v0"}}}}})
		}),
		reporting("changes.Stays", func(w diagnostics.Names) diag.Diagnostic { return changes.Stays(w, web, true) }),
		reporting("changes.Stays", func(w diagnostics.Names) diag.Diagnostic { return changes.Stays(w, web, false) }),
		reporting("Unmovable", func(w diagnostics.Names) diag.Diagnostic {
			return w.Unmovable("other_type", "a problem", "others: other_type")
		}),
		reporting("changes.NotTakenBack", func(w diagnostics.Names) diag.Diagnostic {
			return changes.NotTakenBack(w, web, []ownership.Change{{Field: "spec.a", What: ownership.Removing}}, errors.New("spec.c: Required value"))
		}),
		reporting("changes.LeftToPart", func(w diagnostics.Names) diag.Diagnostic { return changes.LeftToPart(w, web) }),
		reporting("changes.LeftToOthers", func(w diagnostics.Names) diag.Diagnostic {
			return changes.LeftToOthers(w, web, []ownership.Change{{Field: "spec.a", Owners: []ownership.Holder{{Manager: ownership.Manager{Name: "alice"}}}}})
		}),
		reporting("changes.PartsLost", func(w diagnostics.Names) diag.Diagnostic {
			return changes.PartsLost(w, web, []run.Share{{FieldManager: "patch"}})
		}),
		reporting("changes.PartsLeave", func(w diagnostics.Names) diag.Diagnostic {
			return changes.PartsLeave(w, web, run.Share{FieldManager: "patch"})
		}),
		reporting("changes.TakenBack", func(w diagnostics.Names) diag.Diagnostic {
			return changes.TakenBack(w, changes.Destroyed, changes.EndedPart{Object: web, FieldManager: "patch", Fates: []ownership.Change{{Field: "spec.d", What: ownership.Unclaimed, Was: "4"}, {Field: "spec.a", What: ownership.Removing}, {Field: "spec.e", What: ownership.Removing, Why: ownership.Defaulted, Refilled: "5"}, {Field: "spec.b", What: ownership.Leaving}, {Field: "spec.c", What: ownership.Restoring, Becomes: "3"}}})
		}),
		reporting("changes.Left", func(w diagnostics.Names) diag.Diagnostic {
			return changes.Left(w, web, sets.Departure{Manager: "k8sconnect", Fields: 2})
		}),
		reporting("changes.Left", func(w diagnostics.Names) diag.Diagnostic {
			return changes.Left(w, web, sets.Departure{Manager: "k8sconnect", Successor: "kustomize-controller", Fields: 12})
		}),
		reporting("sets.Left", func(w diagnostics.Names) diag.Diagnostic {
			return sets.Left(w, []string{"a"}, sets.Departure{Manager: "k8sconnect", Fields: 1})
		}),
		reporting("sets.UnreadableRelease", func(w diagnostics.Names) diag.Diagnostic {
			return sets.UnreadableRelease(w, web, errors.New("it has no chart"))
		}, arguments.AdoptExisting),
		reporting("changes.TakesOverAppliers", func(w diagnostics.Names) diag.Diagnostic {
			return changes.TakesOverAppliers(w, ssa.Plan{Object: web, Managers: ssa.Managers{Ended: []ownership.Claim{{
				Manager: ownership.Manager{Name: "helm", Operation: "Apply"}, Fields: paths.NewSet(paths.Path{paths.Field("spec")}),
			}}}})
		}, "Body", arguments.TakeOverManagers),
		reporting("changes.PatchGone", func(w diagnostics.Names) diag.Diagnostic { return changes.PatchGone(w, web) }),
		reporting("sets.ManifestsUnknown", sets.ManifestsUnknown, "Body"),
		reporting("changes.ReplacedAlong", func(w diagnostics.Names) diag.Diagnostic {
			return changes.ReplacedAlong(w, web, manifest.Identity{Kind: "Namespace", Name: "shop"})
		}),
		reporting("changes.PartAppliedAgain", func(w diagnostics.Names) diag.Diagnostic {
			return changes.PartAppliedAgain(w, web)
		}),
		reporting("BeingDeleted", func(w diagnostics.Names) diag.Diagnostic { return w.BeingDeleted(cluster.Ending{Object: web}) }),
		reporting("invalid.Pin", func(w diagnostics.Names) diag.Diagnostic {
			return invalid.Pin(w, &arguments.UnpinnableError{Pattern: "spec.x", Why: arguments.Declared})
		}, "Body", arguments.PinFields),
		reporting("invalid.Pin", func(w diagnostics.Names) diag.Diagnostic {
			return invalid.Pin(w, &arguments.UnpinnableError{Pattern: "spec.x", Why: arguments.LeftAlone, By: "spec"})
		}, arguments.IgnoreFields, arguments.PinFields),
		reporting("invalid.Pin", func(w diagnostics.Names) diag.Diagnostic {
			return invalid.Pin(w, &arguments.UnpinnableError{Pattern: "spec.x", Why: arguments.Secret, By: "spec"})
		}, arguments.SensitiveFields, arguments.PinFields),
		reporting("invalid.Pin", func(w diagnostics.Names) diag.Diagnostic {
			return invalid.Pin(w, &arguments.UnpinnableError{Pattern: "data.x", Why: arguments.Secret})
		}, arguments.PinFields),
		reporting("UnseenPins", func(w diagnostics.Names) diag.Diagnostic { return w.UnseenPins(web, []string{"spec.x"}) }, arguments.PinFields),
		reporting("ListsTooLong", func(w diagnostics.Names) diag.Diagnostic {
			long, _ := w.ListsTooLong(ssa.Plan{Object: web, Items: ssa.Items{Counted: lists()}}, now)
			return long
		}, "Body", arguments.ListLengths),
		reporting("UnmatchedSensitive", func(w diagnostics.Names) diag.Diagnostic { return w.UnmatchedSensitive(web, patterns) }, "Body", arguments.SensitiveFields),
		reporting("WriteOnlyNotSent", func(w diagnostics.Names) diag.Diagnostic { return w.WriteOnlyNotSent(web, []string{"data.a"}) }, "WriteOnlyBody", "WriteOnlyVersion"),
		reporting("Immutable", func(w diagnostics.Names) diag.Diagnostic {
			return w.Immutable(web, []ownership.Change{{Field: "spec.a", Was: "1", Becomes: "2"}, {Field: "spec.b"}})
		}, "Body"),
		reporting("ChangedDuringApply", func(w diagnostics.Names) diag.Diagnostic {
			return w.ChangedDuringApply(web, []ownership.Change{
				{Field: "spec.a", By: `"tuner"`, Was: "1"}, {Field: "spec.b[0].c", By: `"tuner"`, With: "spec.b[0]"}, {Field: "spec.d", Becomes: ownership.RemovedValue},
			}, []string{"spec.e"})
		}),
		reporting("Adopts", func(w diagnostics.Names) diag.Diagnostic {
			return w.Adopts(ssa.Plan{
				Object: web, Adoption: ssa.Adoption{
					Transfers: []ownership.Change{{Field: "spec.a", Becomes: "k8sconnect"}}, Adopted: record.Adopted{BySameManager: true, ByControllers: true},
				},
			}, false)
		}, arguments.AdoptExisting),
		reporting("AssumedNamespace", func(w diagnostics.Names) diag.Diagnostic { return w.AssumedNamespace(web) }, "Body"),
		reporting("NamespaceChange", func(w diagnostics.Names) diag.Diagnostic {
			return w.NamespaceChange(web, manifest.Identity{Namespace: "shop"})
		}, "Body"),
	}
	for _, why := range []arguments.LengthProblem{arguments.MaxBelowMin, arguments.MaxBelowDeclared, arguments.MinBelowDeclared, arguments.NotAList} {
		all = append(all, reporting("invalid.Length", func(w diagnostics.Names) diag.Diagnostic {
			return invalid.Length(w, &arguments.LengthError{ListLength: lists()[0].ListLength, Why: why, Declared: 2})
		}, "Body", arguments.ListLengths))
	}
	for i := range fieldChanges {
		for _, some := range [][]ownership.Change{fieldChanges[i : i+1], {fieldChanges[i], fieldChanges[i]}} {
			all = append(all, reporting("changes.Planned", func(w diagnostics.Names) diag.Diagnostic { return changes.Planned(w, planOf(some, nil), now) }, "Body"))
		}
	}
	unwanted := planOf([]ownership.Change{{Field: "spec.k", What: ownership.Removing, Was: "1", Owners: other, With: "spec.k", Why: ownership.Unwanted}}, nil)
	all = append(all, reporting("changes.Planned", func(w diagnostics.Names) diag.Diagnostic { return changes.Planned(w, unwanted, now) }, "Body", arguments.RemoveFields))
	unowned := planOf([]ownership.Change{{Field: "spec.k", What: ownership.Unclaimed, Was: "1", Becomes: ownership.RemovedValue, Why: ownership.Unwanted}}, nil)
	all = append(all, reporting("changes.Planned", func(w diagnostics.Names) diag.Diagnostic { return changes.Planned(w, unowned, now) }, arguments.RemoveFields))
	all = append(all,
		reporting("changes.PlannedOnRecreated", func(w diagnostics.Names) diag.Diagnostic {
			return changes.PlannedOnRecreated(w, planOf(fieldChanges[:1], nil), recreated, now)
		}, "Body"),
		reporting("Recreated", func(w diagnostics.Names) diag.Diagnostic { return w.Recreated(recreated) }, "Body"),
		reporting("changes.Forgotten", func(w diagnostics.Names) diag.Diagnostic { return changes.Forgotten(w, recreated) }),
		reporting("changes.ReplacedUnplanned", func(w diagnostics.Names) diag.Diagnostic {
			return changes.ReplacedUnplanned(w, ssa.Plan{Object: web, Immutable: ssa.Immutable{Fields: fieldChanges[:1]}})
		}),
		reporting("changes.Unplanned", func(w diagnostics.Names) diag.Diagnostic {
			return changes.Unplanned(w, &ssa.UnplannedError{Plan: planOf(fieldChanges[:1], nil)}, now)
		}, "Body"),
	)
	pinned := planOf(fieldChanges, nil)
	pinned.State.Pinned = map[string]string{"spec.k": "2"}
	all = append(all, reporting("changes.Planned", func(w diagnostics.Names) diag.Diagnostic { return changes.Planned(w, pinned, now) }, "Body", arguments.PinFields, arguments.Repin))
	for _, reason := range []cluster.Reason{cluster.ReasonNamespaceNotFound, cluster.ReasonWebhookUnreachable, cluster.ReasonKindNotServed, cluster.ReasonAPIUnavailable} {
		all = append(all, reporting("Awaited", func(w diagnostics.Names) diag.Diagnostic {
			awaited, _ := w.Awaited(awaited(reason), time.Minute)
			return awaited
		}))
	}
	return all
}

// recreated is an object that another client has created under the name of the resource's own.
var recreated = &run.RecreatedError{Object: web, Was: "1-2-3", Is: "4-5-6", Managers: []string{"bob", "kubectl-create"}}

// reportsOfLosses are about objects that a resource deletes, replaces, leaves or imports.
func reportsOfLosses() []report {
	all := []report{
		reporting("NotReplaceable", func(w diagnostics.Names) diag.Diagnostic { return w.NotReplaceable(web, "release") }, arguments.OnDestroy, "Body"),
		reporting("FinalizersRemoved", func(w diagnostics.Names) diag.Diagnostic { return w.FinalizersRemoved(web, []string{"a/b"}) }, arguments.ForceDestroy),
		reporting("LeftToAdopter", func(w diagnostics.Names) diag.Diagnostic { return w.LeftToAdopter(web) }, arguments.AdoptExisting),
		reporting("SecretMoved", func(w diagnostics.Names) diag.Diagnostic { return w.SecretMoved(web) }, "WriteOnlyBody"),
		reporting("MovedKeptObject", func(w diagnostics.Names) diag.Diagnostic { return w.MovedKeptObject(web) }, arguments.OnDestroy),
		reporting("MovedPaths", func(w diagnostics.Names) diag.Diagnostic { return w.MovedPaths(web, []string{"a..b"}) }, "Shown.FieldOwnership", arguments.IgnoreFields),
		reporting("LimitReached", func(w diagnostics.Names) diag.Diagnostic { return w.LimitReached(612, 100) }),
		reporting("SecretImported", func(w diagnostics.Names) diag.Diagnostic { return w.SecretImported(web) }, "Body"),
	}
	for _, loss := range []diagnostics.Loss{
		diagnostics.Destroy, diagnostics.Replacement, diagnostics.AnotherIdentity, diagnostics.AnotherCluster, diagnostics.ImmutableChange,
	} {
		all = append(all, reporting("Protected", func(w diagnostics.Names) diag.Diagnostic { return w.Protected(web, loss, "") }, arguments.DeleteProtection, "Body"),
			reporting("Protected", func(w diagnostics.Names) diag.Diagnostic {
				return w.Protected(web, loss, "rules[1] of the provider block")
			}, arguments.DeleteProtection, "Body"))
		all = append(all, reporting("RecreatedKept", func(w diagnostics.Names) diag.Diagnostic { return w.RecreatedKept(recreated, loss) }, "Body"))
	}
	return all
}

// reportsOfConnections are about the connection of the resource's own.
func reportsOfConnections() []report {
	failure := failing(cluster.ReasonUnauthorized, "the token has expired")
	return []report{
		reporting("ConnectionUnknown", func(w diagnostics.Names) diag.Diagnostic { return w.ConnectionUnknown(web) }),
		reporting("ConnectionUnknown", func(w diagnostics.Names) diag.Diagnostic {
			w.Reads.KnownInApply = "other"
			return w.ConnectionUnknown(web)
		}, "Cluster"),
		reporting("NotRefreshed", func(w diagnostics.Names) diag.Diagnostic { return w.NotRefreshed(web, failure) }, "Cluster"),
		reporting("SameCredentials", func(w diagnostics.Names) diag.Diagnostic { return w.SameCredentials(web) }, "Cluster"),
		reporting("StaleDestroy", func(w diagnostics.Names) diag.Diagnostic { return w.StaleDestroy(web) }, "Cluster"),
		reporting("StaleDelete", func(w diagnostics.Names) diag.Diagnostic { return w.StaleDelete(web, failure) }, "Cluster"),
		reporting("MovedElsewhere", func(w diagnostics.Names) diag.Diagnostic { return w.MovedElsewhere(web) }, "Cluster"),
		reporting("ImportedElsewhere", func(w diagnostics.Names) diag.Diagnostic { return w.ImportedElsewhere(web) }, "Cluster"),
	}
}

func failing(reason cluster.Reason, message string) *cluster.Error {
	return &cluster.Error{Reason: reason, Object: web, Message: message}
}
