import { useQuery } from '@tanstack/react-query'
import { Building2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Create, CreateButton, useCreate } from '../../page/create-action.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { pathTo } from '../../data/addresses.ts'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { CellLink } from '../../ui/link.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Truncate } from '../../ui/text.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { useLinkActions } from './link-actions.tsx'
import { allSilosQuery, linksQuery, type Pool, type PoolKind, slotOf } from './pool-kind.ts'

const LinkSiloModal = lazyPart(() => import('./link-silo.tsx'))

type Row = { siloId: string; isDefault: boolean; name: string | undefined }

const columnsOf = (kind: PoolKind, pool: Pool): Column<Row>[] => [
  {
    id: 'silo',
    header: 'Silo',
    cell: ({ siloId, name }) => (
      <CellLink to={pathTo(kind.paths.ofSilo, { silo: name ?? siloId }) as '/'}>
        {name ?? <Truncate text={siloId} />}
      </CellLink>
    ),
  },
  {
    id: 'default',
    header: 'Silo default',
    width: 160,
    phone: 'first',
    cell: ({ isDefault }) =>
      isDefault ? (
        <span {...tooltip(`The ${slotOf(pool)} of the silo, unless users choose another`)}>
          <Tag>default</Tag>
        </span>
      ) : null,
  },
]

/** The silos that a pool is linked to. */
export function LinkedSilos({ kind, pool }: { kind: PoolKind; pool: Pool }) {
  const { data, error, refetch } = useQuery(linksQuery(kind, pool.name))
  const silos = useQuery(allSilosQuery).data?.items
  const nameOf = (id: string) => silos?.find((silo) => silo.id === id)?.name
  const columns = useMemo(() => columnsOf(kind, pool), [kind, pool])
  const actions = useLinkActions(kind, 'pool', nameOf)
  const [linking, setLinking] = useState(false)
  const create: Create = {
    label: 'Link silo',
    calls: kind.link,
    variant: 'secondary',
    onAction: () => setLinking(true),
  }
  useCreate(create)
  // All links are loaded at once; the API's order by ID is meaningless to users.
  const rows = data?.items
    .map(({ siloId, isDefault }) => ({ siloId, isDefault, name: nameOf(siloId) }))
    .sort((a, b) => (a.name ?? a.siloId).localeCompare(b.name ?? b.siloId))
  return (
    <Card
      title="Linked silos"
      description={`Users of these silos can allocate ${kind.gives} from the pool`}
      actions={<CreateButton {...create} />}
    >
      <LoadedTable
        what="The linked silos"
        label="Linked silos"
        columns={columns}
        read={{ rows, error, refetch }}
        rowKey={({ siloId }: Row) => siloId}
        actions={({ siloId, isDefault }: Row) => actions({ pool, silo: siloId, isDefault })}
        skeletonRows={2}
        empty={{
          icon: Building2,
          title: 'No linked silos',
          body: 'You can link this pool to a silo to see it here',
          action: <CreateButton {...create} />,
        }}
      />
      <DialogPart onDismiss={() => setLinking(false)}>
        {linking && (
          <LinkSiloModal
            kind={kind}
            pool={pool}
            linked={rows?.map(({ siloId }) => siloId) ?? []}
            onDismiss={() => setLinking(false)}
          />
        )}
      </DialogPart>
    </Card>
  )
}
