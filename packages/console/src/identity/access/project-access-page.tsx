import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { HelpTip } from '../../ui/tooltip.tsx'
import { AccessPage } from './access-page.tsx'
import { accessColumns } from './columns.tsx'
import { policyQuery } from './policy-query.ts'
import { useAccessRows } from './rows.ts'

export function ProjectAccessPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const place = useMemo(() => ({ level: 'project', project }) as const, [project])
  const silo = useQuery(policyQuery({ level: 'silo' }))
  const { data: policy, ...own } = useQuery(policyQuery(place))
  const rows = useAccessRows({ level: 'project', policy }, { level: 'silo', policy: silo.data })
  const canAsk = useCapability('access')
  const columns = useMemo(() => {
    const { name, type, role } = accessColumns(canAsk, project)
    const tip = (
      <HelpTip>A user or group has the stronger of its roles on the silo and the project</HelpTip>
    )
    return [name, type, { ...role, tip }]
  }, [canAsk, project])
  return (
    <AccessPage
      title="Project Access"
      place={place}
      docs={{
        summary:
          'Roles on a project say what users and groups may do in it. Roles on the silo reach all projects.',
      }}
      policy={policy}
      rows={rows}
      error={own.error ?? silo.error}
      refetch={() => Promise.all([own.refetch(), silo.refetch()])}
      columns={columns}
      kind="project"
      toasts={{ added: 'Role assigned', changed: 'Role updated' }}
      empty={{
        title: 'No authorized users',
        body: 'Give permission to view, edit, or administer this project.',
        action: 'Add user or group to project',
      }}
    />
  )
}
