import { suggestedDiskSize } from '@steading/api/rules'
import { defaultPool } from './pools.ts'
import type { Offer } from './queries.ts'
import { firstPreset, type BootTab, type InstanceValues } from './values.ts'

function firstBootTab({ siloImages, projectImages }: Offer): BootTab {
  if (siloImages.length > 0) return 'silo'
  return projectImages.length > 0 ? 'project' : 'disk'
}

/** How the form starts, given what there is to choose from. */
export function defaultValues(offer: Offer): InstanceValues {
  const { siloImages, projectImages, pools, vpcs, keys } = offer
  const firstImage = siloImages[0] ?? projectImages[0]
  const networked = vpcs.length > 0
  const pool4 = networked ? defaultPool(pools, 'v4') : ''
  const pool6 = networked ? defaultPool(pools, 'v6') : ''
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
    disks: [],
    sshKeys: keys.map(({ id }) => id),
    network: networked ? 'default' : 'none',
    ipVersions: 'dual_stack',
    nics: [],
    ephemeral4: pool4 !== '',
    pool4,
    ephemeral6: pool6 !== '',
    pool6,
    floatingIps: [],
    antiAffinityGroups: [],
    autoRestart: 'default',
    hostname: '',
    userDataFrom: 'file',
    userData: null,
    userDataText: '',
  }
}
