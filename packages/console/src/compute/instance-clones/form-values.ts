/** The values of the form of a clone, and the body that they stand for. */
import type { Disk, Instance, InstanceCloneCreate } from '@steading/api/client'
import { cloneDiskName, cloneName, cloneWay, type CloneWay } from '@steading/api/rules'

/** The contents of a disk that a snapshot is taken of. */
export const NOW = 'now'

export type DiskValues = {
  /** Name of the disk of the source. */
  disk: string
  way: CloneWay
  included: boolean
  name: string
  /** Name of a snapshot, or {@link NOW}. */
  snapshot: string
}

export type Values = {
  name: string
  description: string
  hostname: string
  project: string
  disks: DiskValues[]
  network: 'same' | 'default' | 'none'
  externalIps: 'same' | 'none'
  sshKeys: string[]
  userData: 'same' | 'none' | 'file'
  userDataFile: File | null
  antiAffinityGroups: string[]
  affinityGroups: string[]
  start: boolean
}

/** Fields whose values are those of the source, or all keys of the user. */
export type Preset = 'sshKeys' | 'antiAffinityGroups' | 'affinityGroups'

export const wayOf = ({ diskType, readOnly }: Pick<Disk, 'diskType' | 'readOnly'>): CloneWay =>
  cloneWay({ local: diskType === 'local', readOnly })

/** The proposed names of the disks of a clone. */
export function diskNames(
  disks: readonly string[],
  source: string,
  clone: string,
  taken: ReadonlySet<string>,
): string[] {
  const given = new Set(taken)
  return disks.map((disk) => {
    const name = cloneDiskName(disk, source, clone, (one) => given.has(one))
    given.add(name)
    return name
  })
}

/** @param taken names of instances and disks of the project, as far as known */
export function newValues(
  source: Instance,
  project: string,
  disks: readonly Disk[],
  taken: { instances: ReadonlySet<string>; disks: ReadonlySet<string> },
): Values {
  const name = cloneName(source.name, (one) => taken.instances.has(one))
  const names = diskNames(
    disks.map((disk) => disk.name),
    source.name,
    name,
    taken.disks,
  )
  return {
    name,
    description: source.description,
    hostname: '',
    project,
    disks: disks.map((disk, index) => ({
      disk: disk.name,
      way: wayOf(disk),
      included: true,
      name: names[index]!,
      snapshot: NOW,
    })),
    network: 'same',
    externalIps: 'same',
    sshKeys: [],
    userData: 'same',
    userDataFile: null,
    antiAffinityGroups: [],
    affinityGroups: [],
    start: true,
  }
}

const networks = {
  same: null,
  default: { type: 'default_dual_stack' },
  none: { type: 'none' },
} as const

/**
 * @param userData Base64 of the chosen file
 * @param isChosen whether the user has changed a preset; others are left to the control plane, because
 *   the form may not have been able to read them
 * @param source the project of the source
 */
export function bodyOf(
  values: Values,
  source: string,
  userData: string | undefined,
  isChosen: (field: Preset) => boolean,
): InstanceCloneCreate {
  const isElsewhere = values.project !== source
  return {
    name: values.name,
    description: values.description,
    ...(values.hostname && { hostname: values.hostname }),
    ...(isElsewhere && { project: values.project }),
    disks: values.disks
      .filter(({ included }) => included)
      .map(({ disk, name, snapshot }) => ({
        disk,
        name,
        ...(snapshot !== NOW && { snapshot }),
      })),
    ...(values.network !== 'same' && { networkInterfaces: networks[values.network] }),
    ...(values.externalIps === 'none' && { externalIps: [] }),
    ...(isChosen('sshKeys') && { sshPublicKeys: values.sshKeys }),
    ...(values.userData === 'none' && { userData: '' }),
    ...(values.userData === 'file' && { userData: userData ?? '' }),
    ...(!isElsewhere &&
      isChosen('antiAffinityGroups') && { antiAffinityGroups: values.antiAffinityGroups }),
    ...(!isElsewhere && isChosen('affinityGroups') && { affinityGroups: values.affinityGroups }),
    start: values.start,
  }
}
