import { storagePoolStates, storagePoolTypes } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const poolListDefinition: ListDefinition<'storagePoolSearch'> = {
  kind: 'storage_pool',
  id: 'storage-pools',
  operation: 'storagePoolSearch',
  filters: { type: storagePoolTypes, state: storagePoolStates },
}

export const poolQuery = (pool: string) => apiQuery('storagePoolView', { path: { pool } })

export const usePoolParam = (): string =>
  useParams({ from: '/shell/system/pools-crumb/system/inventory/storage-pools/$pool' }).pool

export const diskStorageQuery = (project: string, disk: string) =>
  apiQuery('diskStorageView', { path: { disk }, query: { project } })
