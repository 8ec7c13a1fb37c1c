import { named, string } from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'

/** A configuration for Terraform, as text. */
const ProjectTerraform = named('ProjectTerraform', string)

export const projectTerraformOperations = usual('project')({
  project_terraform: {
    route: 'GET terraform',
    extension: true,
    summary: 'Download the resources of a project as a configuration for Terraform',
    permission: { project: 'list' },
    success: { status: 200, schema: ProjectTerraform, contentType: 'text/plain', freeForm: true },
  },
})
