import { storagePoolStates, storagePoolTypes } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { apiQuery } from '../../data/api.ts'
import { useAvailable } from '../../data/capabilities.ts'
import type { ListDefinition } from '../../data/lists.ts'

/** The abilities of the control plane and its engine that storage pools need. */
export const poolsNeed = [{ needs: 'storagePools', part: 'storagePools' }] as const

export const poolListDefinition: ListDefinition<'storagePoolSearch'> = {
  kind: 'storage_pool',
  id: 'storage-pools',
  operation: 'storagePoolSearch',
  filters: { type: storagePoolTypes, state: storagePoolStates },
}

export const poolQuery = (pool: string) => apiQuery('storagePoolView', { path: { pool } })

export const usePoolParam = (): string =>
  useParams({ from: '/shell/system/pools-crumb/system/inventory/storage-pools/$pool' }).pool

/** The pools of which the disks of a project choose one; none if there is no choice. */
export function usePoolChoices(project: string) {
  const hasPools = useAvailable(poolsNeed).length > 0
  const { data } = useQuery({
    ...apiQuery('storagePoolChoiceList', { path: { project } }),
    enabled: hasPools,
  })
  const choices = data?.items ?? []
  return choices.length > 1 ? choices : []
}

export const diskStorageQuery = (project: string, disk: string) =>
  apiQuery('diskStorageView', { path: { disk }, query: { project } })
