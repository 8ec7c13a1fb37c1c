import { LifeBuoy } from 'lucide-react'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { bundleDocs, useBundleActions } from './bundle-actions.tsx'
import { bundleColumns } from './columns.tsx'
import { bundleListDefinition, named } from './queries.ts'

const bundles = resourceList({
  list: bundleListDefinition,
  noun: 'support bundle',
  icon: LifeBuoy,
  docs: bundleDocs,
  path: '/system/support-bundles',
  columns: bundleColumns,
  nameOf: (bundle) => named(bundle).name,
  busy: ({ state }) => state === 'collecting' || state === 'destroying',
  bulk: true,
  create: { label: 'Collect bundle', calls: 'supportBundleCreate' },
  empty: { body: 'Collect one to examine the system, or to send it to support' },
})

export const SupportBundlesPage = () => <ResourceList of={bundles} actions={useBundleActions()} />
