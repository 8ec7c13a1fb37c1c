import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import type { ListDefinition } from '../../data/lists.ts'
import { ListPage } from '../../page/list-page.tsx'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { pathTo } from '../../data/addresses.ts'
import { useListPage } from '../../page/use-list-page.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { poolColumns, type PoolRow } from './columns.tsx'
import { poolDocs, usePoolActions } from './pool-actions.tsx'
import {
  ipPoolKind,
  ipPoolListDefinition,
  linkablePoolsQuery,
  POLL_MS,
  type PoolKind,
  subnetPoolKind,
  subnetPoolListDefinition,
} from './pool-kind.ts'

type Props = { kind: PoolKind; definition: ListDefinition<PoolKind['list']> }

function PoolsPage({ kind, definition }: Props) {
  const columns = useMemo(() => poolColumns(kind), [kind])
  const list = useListPage(definition, kind.listed, columns, { refetchInterval: POLL_MS })
  const bulk = useBulk(kind.thing, list, undefined, kind.listed)
  const actions = usePoolActions(kind)
  useListQuickActions(
    useMemo(
      () => ({
        all: linkablePoolsQuery(kind),
        group: `Go to ${kind.words}`,
        pathOf: (pool: string) => pathTo(kind.paths.page, { pool }),
      }),
      [kind],
    ),
  )
  return (
    <ListPage<PoolRow>
      title={kind.title}
      label={`${kind.Words}s`}
      icon={kind.icon}
      noun={{ one: kind.words, many: `${kind.words}s` }}
      docs={poolDocs[kind.thing]}
      reads={[kind.list, kind.utilization]}
      create={{ ...kind.creation, calls: kind.create, icon: Plus }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{
        title: `No ${kind.words}s`,
        body: `Create ${kind.article} ${kind.words} to see it here`,
        create: kind.creation.quickLabel,
      }}
    />
  )
}

export const IpPoolsPage = () => <PoolsPage kind={ipPoolKind} definition={ipPoolListDefinition} />
export const SubnetPoolsPage = () => (
  <PoolsPage kind={subnetPoolKind} definition={subnetPoolListDefinition} />
)
