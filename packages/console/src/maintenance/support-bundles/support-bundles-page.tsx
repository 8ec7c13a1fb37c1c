import { LifeBuoy, Plus } from 'lucide-react'
import { useState } from 'react'
import { useLivePolling } from '../../data/live.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { pathTo } from '../../data/addresses.ts'
import { useBundleActions, bundleDocs } from './bundle-actions.tsx'
import { bundleColumns, type BundleRow } from './columns.tsx'
import { bundleListDefinition, named } from './queries.ts'

/** Without live events, bundles in transition are polled more often. */
function useBundles() {
  const [busy, setBusy] = useState(false)
  const list = useListPage(bundleListDefinition, {}, bundleColumns, {
    refetchInterval: useLivePolling(busy ? 1000 : 10_000),
  })
  const nowBusy = list.rows?.some(({ state }) => ['collecting', 'destroying'].includes(state))
  if ((nowBusy ?? false) !== busy) setBusy(nowBusy ?? false)
  return { ...list, rows: list.rows?.map((bundle: BundleRow) => named(bundle)) }
}

export function SupportBundlesPage() {
  const list = useBundles()
  const bulk = useBulk('support_bundle', list)
  const actions = useBundleActions()
  return (
    <ListPage<BundleRow & { name: string }>
      title="Support Bundles"
      label="Support bundles"
      icon={LifeBuoy}
      noun={{ one: 'support bundle', many: 'support bundles' }}
      docs={bundleDocs}
      reads={['supportBundleList']}
      create={{
        label: 'Collect bundle',
        calls: 'supportBundleCreate',
        icon: Plus,
        path: pathTo('/system/support-bundles-new'),
      }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{
        title: 'No support bundles',
        body: 'Collect one to examine the system, or to send it to support',
        create: 'Collect bundle',
      }}
    />
  )
}
