import { useCapability } from '../../data/capabilities.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { saveFile } from '../../ui/save-file.ts'
import { errorToast } from '../../ui/toasts.tsx'

/** Saves the resources of a project as a configuration for Terraform. */
async function exportTerraform(project: string): Promise<void> {
  try {
    const response = await fetch(`/x/v1/projects/${encodeURIComponent(project)}/terraform`)
    if (!response.ok) throw new Error(`The control plane answered ${response.status}.`)
    const contents = await response.blob()
    saveFile(`${project}.tf`, [contents], contents.type)
  } catch (error) {
    const cutOff = error instanceof TypeError
    const reason = cutOff ? 'The connection was lost.' : (error as Error).message
    errorToast('Could not export the project', reason)
  }
}

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
