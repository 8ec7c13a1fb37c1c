import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Plus, Radio } from 'lucide-react'
import { useMemo } from 'react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { useLivePolling } from '../../data/live.ts'
import { useFleetViewer } from '../../data/session.ts'
import { unicastPools, ipPoolsQuery } from '../pools/own-pools.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { pathTo } from '../../data/addresses.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { probeColumns } from './columns.tsx'
import { probeListDefinition, type ProbeRow, probesQuery } from './queries.ts'

const noun = { one: 'probe', many: 'probes' }

function useProbeActions(project: string): (probe: ProbeRow) => MenuAction[] {
  const navigate = useNavigate()
  const deletion = useApiAction('probeDelete', {
    onSuccess: (_, { path }) => {
      void invalidate('probeList')
      doneToast('Probe', path.probe, 'deleted')
    },
  })
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
    {
      label: 'Delete',
      calls: 'probeDelete',
      danger: true,
      onAction: () =>
        confirmDelete({
          kind: 'probe',
          name,
          ...deletion({ path: { probe: name }, query: { project } }),
        }),
    },
  ]
}

export function ProbesPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const isOperator = useFleetViewer()
  const columns = useMemo(() => probeColumns(project, isOperator), [project, isOperator])
  const pools = unicastPools(useQuery(ipPoolsQuery).data?.items ?? [])
  const list = useListPage(probeListDefinition, { project }, columns, {
    refetchInterval: useLivePolling(10_000),
    names: { pool: pools.map(({ name }) => name) },
  })
  const bulk = useBulk('probe', list, project)
  const actions = useProbeActions(project)
  useListQuickActions(
    useMemo(
      () => ({
        all: probesQuery(project),
        group: 'Go to probe',
        pathOf: (probe: string) => pathTo('/projects/$project/probes/$probe', { project, probe }),
      }),
      [project],
    ),
  )
  return (
    <ListPage
      title="Probes"
      label="Probes"
      icon={Radio}
      noun={noun}
      docs={{
        topic: 'probes',
        summary:
          'A probe is a small machine on a sled of your choice, with addresses like an instance. Send it packets to find out whether the sled can be reached. Probes are experimental.',
      }}
      reads={['probeList']}
      create={{
        label: 'New probe',
        calls: 'probeCreate',
        quickLabel: 'New probe',
        icon: Plus,
        path: pathTo('/projects/$project/probes-new', { project }),
      }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{ title: 'No probes', body: 'Create a probe to see it here', create: 'New probe' }}
    />
  )
}
