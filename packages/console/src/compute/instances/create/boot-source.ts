import type { Image, Snapshot } from '@steading/api/client'
import { isLoaded, offerNames, type Offer, type Part } from './queries.ts'
import {
  sourceFields,
  type BootSource,
  type BootTab,
  type InstanceValues,
  type SourceTab,
} from './values.ts'

/** The form field of the chosen source; undefined when attaching an existing disk. */
export const bootSourceField = ({ boot }: Pick<InstanceValues, 'boot'>) =>
  boot === 'disk' ? undefined : sourceFields[boot]

/** The list of choices of each tab. */
const partOf = {
  silo: 'siloImages',
  project: 'projectImages',
  snapshot: 'snapshots',
  disk: 'disks',
} as const satisfies Record<BootTab, Part>

export const partOfTab = (tab: BootTab) => partOf[tab]

/**
 * Why the form cannot be submitted yet: choices are missing or still loading; undefined if it can.
 */
export function notReady(offer: Offer, boot: BootTab): string | undefined {
  const { reading, siloImages, projectImages } = offer
  const chosenFrom = partOfTab(boot)
  if (reading[chosenFrom].failure) return `${offerNames[chosenFrom]} could not be loaded`
  if (reading[chosenFrom].refused) return `${offerNames[chosenFrom]} are not shown to you`
  // Fields preset from these lists would stay empty without a visible reason if we did not wait.
  const waitsFor = ([chosenFrom, 'keys', 'vpcs', 'pools'] as const).find(
    (part) => reading[part].loading,
  )
  if (waitsFor) return `${offerNames[waitsFor]} are still loading`
  const known = isLoaded(offer, 'siloImages') && isLoaded(offer, 'projectImages')
  // Silo images that the user may not list could still exist.
  if (reading.siloImages.refused && (boot === 'disk' || boot === 'snapshot')) return undefined
  return known && siloImages.length + projectImages.length === 0 ? 'Image required' : undefined
}

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
