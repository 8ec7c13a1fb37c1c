import { snapshotCannotDelete, snapshotIsTransitioning } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Camera, Plus } from 'lucide-react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { useLivePolling } from '../../data/live.ts'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { pathTo } from '../../data/addresses.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { snapshotColumns } from './columns.tsx'
import { snapshotListDefinition, type SnapshotRow } from './queries.ts'

const noun = { one: 'snapshot', many: 'snapshots' }

export function SnapshotsPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const polled = useLivePolling(1000)
  const columns = useMemo(() => snapshotColumns(project), [project])
  const list = useListPage(snapshotListDefinition, { project }, columns, {
    refetchInterval: (all) =>
      all.some(({ state }) => snapshotIsTransitioning(state)) ? polled : false,
  })
  const bulk = useBulk('snapshot', list, project)
  const actions = useSnapshotActions(project)
  return (
    <ListPage
      title="Snapshots"
      label="Snapshots"
      icon={Camera}
      noun={noun}
      docs={{
        topic: 'snapshots',
        summary:
          'A snapshot is a copy of a disk at one point in time. Disks and images made from it outlive it.',
      }}
      reads={['snapshotList', 'diskList', 'diskView']}
      create={{
        label: 'New snapshot',
        calls: 'snapshotCreate',
        icon: Plus,
        path: pathTo('/projects/$project/snapshots-new', { project }),
      }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{
        title: 'No snapshots',
        body: 'Create a snapshot to see it here',
        create: 'New snapshot',
      }}
    />
  )
}

function useSnapshotActions(project: string): (snapshot: SnapshotRow) => MenuAction[] {
  const remove = useApiAction('snapshotDelete', {
    onSuccess: () =>
      invalidate('snapshotList', 'snapshotView', 'snapshotDetailsView', 'utilizationView'),
  })
  const deletion = useDeletion()
  return ({ id, name, state }) => [
    {
      label: 'Create image',
      calls: 'imageCreate',
      disabledReason: state === 'ready' ? undefined : 'Only ready snapshots can become images',
      href: pathTo('/projects/$project/snapshots/$snapshot/images-new', {
        project,
        snapshot: name,
      }),
    },
    deletion({
      kind: 'snapshot',
      id,
      name,
      project,
      cannot: snapshotCannotDelete(state),
      extra: 'Disks and images made from it are kept.',
      ...remove({ path: { snapshot: name }, query: { project } }),
    }),
  ]
}
