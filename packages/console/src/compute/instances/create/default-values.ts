import { suggestedDiskSize } from '@steading/api/rules'
import { useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { defaultPool } from './pools.ts'
import { isLoaded, type Offer, type Part } from './queries.ts'
import {
  firstPreset,
  primaryVersions,
  type BootTab,
  type InstanceValues,
  type NetworkValues,
} from './values.ts'

function firstBootTab(offer: Offer): BootTab {
  // The first tab also shows the loading state of its images.
  if (offer.siloImages.length > 0 || !isLoaded(offer, 'siloImages')) return 'silo'
  const mayAddToProject = offer.reading.siloImages.refused
  return offer.projectImages.length > 0 || !isLoaded(offer, 'projectImages') || mayAddToProject
    ? 'project'
    : 'disk'
}

/** The initial values of the form, for these choices. */
export function defaultValues(offer: Offer): InstanceValues {
  const { siloImages, projectImages, vpcs, keys } = offer
  const firstImage = siloImages[0] ?? projectImages[0]
  const network: NetworkValues = {
    network: vpcs.length > 0 || !isLoaded(offer, 'vpcs') ? 'default' : 'none',
    ipVersions: 'dual_stack',
    nics: [],
  }
  return {
    name: '',
    description: '',
    start: true,
    hardware: 'generalPurpose',
    preset: firstPreset('generalPurpose'),
    ncpus: 2,
    memory: 8,
    boot: firstBootTab(offer),
    siloImage: '',
    projectImage: '',
    bootSnapshot: '',
    bootDisk: '',
    bootSize: suggestedDiskSize(firstImage?.size ?? 1),
    bootName: '',
    bootReadOnly: false,
    bootPool: '',
    disks: [],
    sshKeys: keys.map(({ id }) => id),
    ...network,
    ...ephemeralDefaults(offer, network),
    floatingIps: [],
    antiAffinityGroups: [],
    autoRestart: 'default',
    hostname: '',
    userDataFrom: 'file',
    userData: null,
    userDataText: '',
  }
}

/** Ephemeral IPs of each version with a default pool and support by the interfaces. */
function ephemeralDefaults({ pools }: Offer, network: NetworkValues) {
  const versions = primaryVersions(network)
  const pool4 = versions.includes('v4') ? defaultPool(pools, 'v4') : ''
  const pool6 = versions.includes('v6') ? defaultPool(pools, 'v6') : ''
  return { ephemeral4: pool4 !== '', pool4, ephemeral6: pool6 !== '', pool6 }
}

type Field = keyof InstanceValues

const ephemeral: Field[] = ['ephemeral4', 'pool4', 'ephemeral6', 'pool6']

/** The fields preset from each list of choices. */
const presets: Partial<Record<Part, Field[]>> = {
  siloImages: ['boot', 'bootSize'],
  projectImages: ['boot', 'bootSize'],
  vpcs: ['network', ...ephemeral],
  pools: ephemeral,
  keys: ['sshKeys'],
}
const presetting = Object.keys(presets) as Part[]

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Presets fields from lists that load after the form has opened, except fields the user has already
 * changed. Refetching a list changes nothing.
 * @param keep the form holds restored input, which must stay as the user left it
 */
export function useLatePresets(form: UseFormReturn<InstanceValues>, offer: Offer, keep: boolean) {
  const awaited = useRef(new Set(presetting.filter((part) => !isLoaded(offer, part))))
  const arrived = presetting.filter((part) => awaited.current.has(part) && isLoaded(offer, part))
  useEffect(() => {
    if (arrived.length === 0) return
    for (const part of arrived) awaited.current.delete(part)
    if (keep) return
    const values = form.getValues()
    const before = form.formState.defaultValues as InstanceValues
    const untouched = new Set(arrived.flatMap((part) => presets[part] ?? []))
    for (const field of untouched)
      if (!isSame(values[field], before[field])) untouched.delete(field)
    const usual = defaultValues(offer)
    const network = untouched.has('network') ? usual : values
    const presetValues = { ...usual, ...ephemeralDefaults(offer, network) }
    const next = Object.fromEntries([...untouched].map((field) => [field, presetValues[field]]))
    form.reset(
      { ...before, ...next },
      {
        keepValues: true,
        keepFieldsRef: true,
        keepDirty: true,
        keepErrors: true,
        keepIsSubmitted: true,
        keepSubmitCount: true,
        keepTouched: true,
      },
    )
    for (const field of untouched) {
      form.setValue(field, presetValues[field], {
        shouldDirty: true,
        shouldValidate: form.formState.isSubmitted,
      })
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each list that arrives
  }, [arrived.join(' ')])
}
