import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Radio } from 'lucide-react'
import { useMemo } from 'react'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { useFleetViewer } from '../../data/session.ts'
import { unicastPools, ipPoolsQuery } from '../pools/own-pools.ts'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { probeColumns } from './columns.tsx'
import { probeListDefinition, type ProbeRow } from './queries.ts'

function useProbeActions(project: string): (probe: ProbeRow) => MenuAction[] {
  const navigate = useNavigate()
  const remove = useDeleteAction('probeDelete', 'probe')
  return ({ name }) => [
    {
      label: 'View details',
      local: true,
      onAction: () =>
        void navigate({
          to: '/projects/$project/probes/$probe',
          params: { project, probe: name },
        }),
    },
    remove(name, { path: { probe: name }, query: { project } }),
  ]
}

const probes = resourceList({
  list: probeListDefinition,
  noun: 'probe',
  icon: Radio,
  docs: {
    topic: 'probes',
    summary:
      'A probe is a small machine on a sled of your choice, with addresses like an instance. Send it packets to find out whether the sled can be reached. Probes are experimental.',
  },
  path: '/projects/$project/probes',
  item: '/projects/$project/probes/$probe',
  bulk: true,
  create: { calls: 'probeCreate' },
})

export function ProbesPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const isOperator = useFleetViewer()
  const pools = unicastPools(useQuery(ipPoolsQuery(project)).data?.items ?? [])
  return (
    <ResourceList
      of={probes}
      within={{ project }}
      columns={useMemo(() => probeColumns(isOperator), [isOperator])}
      names={{ pool: pools.map(({ name }) => name) }}
      actions={useProbeActions(project)}
    />
  )
}
