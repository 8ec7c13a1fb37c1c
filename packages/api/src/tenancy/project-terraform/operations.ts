import type { Operation } from '../../operation.ts'
import { named, NameOrId, string } from '../../schema.ts'

/** A configuration for Terraform, as text. */
const ProjectTerraform = named('ProjectTerraform', string)

export const projectTerraformOperations = {
  project_terraform: {
    method: 'GET',
    path: '/x/v1/projects/{project}/terraform',
    tags: ['extensions'],
    summary: 'Download the resources of a project as a configuration for Terraform',
    permission: { project: 'list' },
    params: { project: NameOrId },
    success: { status: 200, schema: ProjectTerraform, contentType: 'text/plain', freeForm: true },
  },
} as const satisfies Record<string, Operation>
