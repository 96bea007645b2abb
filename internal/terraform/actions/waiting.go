package actions

import (
	"context"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

const timeoutsBlock = "timeouts"

// schema returns the schema of the action with its arguments, a cluster, a timeout and the descriptions of all of them.
func (b *base) schema(ctx context.Context, arguments map[string]schema.Attribute) schema.Schema {
	of := "action " + b.Names.Type
	maps.Copy(arguments, attributes.ConnectionOfAction())
	block, _ := timeouts.Block(ctx).(schema.SingleNestedBlock)
	invoke, _ := block.Attributes["invoke"].(schema.StringAttribute)
	invoke.Description, invoke.MarkdownDescription = "", attributes.DescriptionOf(of, "timeouts.invoke")
	invoke.Validators = []validator.String{validators.Duration()}
	block.Attributes["invoke"] = invoke
	return schema.Schema{
		MarkdownDescription: attributes.DescriptionOf(of, attributes.TheBlock),
		Attributes:          attributes.Described(of, arguments),
		Blocks:              map[string]schema.Block{timeoutsBlock: block},
	}
}

// within returns the time that an action may take: the timeout of the configuration, or fallback. The block's validator
// has already refused invalid strings.
func within(ctx context.Context, given timeouts.Value, fallback time.Duration) time.Duration {
	limit, _ := given.Invoke(ctx, fallback)
	return limit
}

// reporting returns a goal whose judge also reports the status of each version of the object.
func (p *progressReport) reporting(goal waiting.Goal) waiting.Goal {
	judge := goal.Judge
	if judge == nil {
		return goal
	}
	goal.Judge = func(live *unstructured.Unstructured, hasStatus bool) readiness.Status {
		status := judge(live, hasStatus)
		p.sendOnce(status.Message)
		return status
	}
	return goal
}

// explain returns the diagnostic for a failed operation on an object.
func (b *base) explain(operation diagnostics.Operation, id manifest.Identity, err error) diag.Diagnostic {
	return b.provider.Explain(b.Names, operation, id, err)
}
