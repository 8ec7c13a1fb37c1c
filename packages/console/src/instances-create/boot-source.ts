import type { Image, Snapshot } from '@steading/api/client'
import type { Offer } from './queries.ts'
import { type BootSource, type InstanceValues, sourceFields, type SourceTab } from './values.ts'

/** The field of the source that is chosen; undefined for a disk that exists. */
export const bootSourceField = ({ boot }: Pick<InstanceValues, 'boot'>) =>
  boot === 'disk' ? undefined : sourceFields[boot]

/** The images or snapshots that a tab offers as the source of a boot disk. */
export function sourcesOf(
  tab: SourceTab,
  { siloImages, projectImages, snapshots }: Offer,
): (Image | Snapshot)[] {
  if (tab === 'snapshot') return snapshots
  return tab === 'silo' ? siloImages : projectImages
}

type Choice = Pick<InstanceValues, 'boot' | (typeof sourceFields)[SourceTab]>

/** The source of the boot disk that is chosen in the form. */
export function bootSource(values: Choice, offer: Offer): BootSource | undefined {
  const { boot } = values
  if (boot === 'disk') return undefined
  const chosen = sourcesOf(boot, offer).find(({ id }) => id === values[sourceFields[boot]])
  return (
    chosen && {
      id: chosen.id,
      name: chosen.name,
      size: chosen.size,
      kind: boot === 'snapshot' ? 'snapshot' : 'image',
    }
  )
}
