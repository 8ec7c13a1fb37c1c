import type { Project } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { seed, whenReread } from '../../data/api.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import { useTerraformExport } from './export-terraform.ts'

/** The actions of a project, in its row and in the palette. */
export function useProjectActions(): (project: Project) => MenuAction[] {
  const navigate = useNavigate()
  const remove = useApiAction('projectDelete', {
    onSuccess: whenReread,
  })
  const deletion = useDeletion()
  const exports = useTerraformExport()
  return (project) => [
    {
      label: 'Edit',
      calls: { operation: 'projectUpdate', project: project.name },
      onAction: () => {
        // The panel opens at once with the row's data.
        seed('projectView', { path: { project: project.name } }, project)
        void navigate({ to: '/projects/$project/edit', params: { project: project.name } })
      },
    },
    ...exports(project.name),
    deletion({
      kind: 'project',
      id: project.id,
      name: project.name,
      ...remove({ path: { project: project.name } }),
      calls: undefined,
    }),
  ]
}
