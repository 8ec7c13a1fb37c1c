import { useCapability } from '../../data/capabilities.ts'
import { download } from '../../page/download.ts'
import type { MenuAction } from '../../ui/menu-action.ts'

/** Saves the resources of a project as a configuration for Terraform. */
const exportTerraform = (project: string): Promise<void> =>
  download(
    `/x/v1/projects/${encodeURIComponent(project)}/terraform`,
    `${project}.tf`,
    'Could not export the project',
  )

/** The export of a project, in its row and on its page; none without the extension. */
export function useTerraformExport(): (project: string) => MenuAction[] {
  const exports = useCapability('projectTerraform')
  return (project) =>
    exports
      ? [
          {
            label: 'Export as Terraform',
            calls: { operation: 'projectTerraform', project },
            onAction: () => exportTerraform(project),
          },
        ]
      : []
}
