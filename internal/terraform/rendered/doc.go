// Package rendered has the data sources that render manifests: k8sconnect_chart and k8sconnect_kustomize. [All] returns
// them. A kustomization needs no cluster; a chart reads of it what the chart asks for.
package rendered

import "github.com/hashicorp/terraform-plugin-framework/datasource"

// All returns a constructor of each data source.
func All() []func() datasource.DataSource {
	return []func() datasource.DataSource{
		func() datasource.DataSource { return &chartSource{} },
		func() datasource.DataSource { return kustomizeDataSource{} },
	}
}
