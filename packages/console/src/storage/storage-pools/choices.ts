import type { StoragePoolChoice } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { useAvailable } from '../../data/capabilities.ts'

/** The abilities of the control plane and its engine that storage pools need. */
export const poolsNeed = [{ needs: 'storagePools', part: 'storagePools' }] as const

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

/** A pool as an option of a list, by its name. */
export const poolOption = ({ name, isDefault }: StoragePoolChoice) => ({
  value: name,
  label: isDefault ? `${name} (default)` : name,
})
