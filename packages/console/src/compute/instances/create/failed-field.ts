import { bodyProblem, GiB, parseResourceError } from '@steading/api/rules'
import { useEffect } from 'react'
import type { FieldPath, UseFormReturn } from 'react-hook-form'
import type { ApiError } from '../../../data/errors.ts'
import { bootSourceField } from './boot-source.ts'
import type { InstanceValues } from './values.ts'

type Field = FieldPath<InstanceValues>
/** @param about the name, ID or number from the error, if it has one */
type FieldOf = (values: InstanceValues, about: string) => Field

/** The field of an attached disk, by its name: the boot disk or an additional one. */
const diskToAttach: FieldOf = ({ boot, bootDisk }, name) =>
  boot === 'disk' && name === bootDisk ? 'bootDisk' : 'disks'

const diskToCreate: FieldOf = ({ boot, bootName }, name) =>
  boot !== 'disk' && name === bootName ? 'bootName' : 'disks'

/** The field of a disk's source, by its ID: the boot disk or an additional one. */
const sourceOf: FieldOf = (values, id) => {
  const field = bootSourceField(values)
  return field && values[field] === id ? field : 'disks'
}

const storage: FieldOf = ({ boot, disks }) =>
  boot !== 'disk' && disks.every(({ action }) => action === 'attach') ? 'bootSize' : 'disks'

const nics: FieldOf = ({ network }) => (network === 'custom' ? 'nics' : 'network')
const cpus: FieldOf = ({ hardware }) => (hardware === 'custom' ? 'ncpus' : 'preset')
const memory: FieldOf = ({ hardware }) => (hardware === 'custom' ? 'memory' : 'preset')
const bootDisk: FieldOf = ({ boot }) => (boot === 'disk' ? 'bootDisk' : 'bootName')
const userData: FieldOf = ({ userDataFrom }) =>
  userDataFrom === 'text' ? 'userDataText' : 'userData'

/**
 * The error does not name the pool. IPv6 pools hardly ever run out, so blame IPv4 first. Without
 * ephemeral IPs, the pool for outbound traffic is exhausted.
 */
const emptyPool: FieldOf = ({ ephemeral4, ephemeral6 }) =>
  ephemeral4 ? 'pool4' : ephemeral6 ? 'pool6' : 'network'

/** Fields by the kind whose name is taken. */
const taken: Record<string, FieldOf> = {
  instance: () => 'name',
  disk: diskToCreate,
  'instance-network-interface': nics,
}

/** Fields by the kind that was not found. */
const missing: Record<string, FieldOf> = {
  disk: diskToAttach,
  image: sourceOf,
  snapshot: sourceOf,
  'ip-pool': ({ pool4 }, name) => (name === pool4 ? 'pool4' : 'pool6'),
  'floating-ip': () => 'floatingIps',
  'anti-affinity-group': () => 'antiAffinityGroups',
  vpc: nics,
  'vpc-subnet': nics,
  'ssh-key': () => 'sshKeys',
}

/** Fields by the invalid part of the request body. */
const unreadable: Record<string, FieldOf> = {
  name: () => 'name',
  description: () => 'description',
  hostname: () => 'hostname',
  ncpus: cpus,
  memory,
  boot_disk: bootDisk,
  disks: () => 'disks',
  network_interfaces: nics,
  external_ips: () => 'floatingIps',
  ssh_public_keys: () => 'sshKeys',
  anti_affinity_groups: () => 'antiAffinityGroups',
  user_data: userData,
}

type Sentence = [pattern: RegExp, field: FieldOf]

/** `InvalidRequest` and `InvalidValue` carry only a message; the first match decides. */
const invalid: Sentence[] = [
  [/^cannot attach disk "(.*)":/, diskToAttach],
  [
    /^cannot create a disk of a snapshot/,
    ({ boot }) => (boot === 'snapshot' ? 'bootSnapshot' : 'disks'),
  ],
  [
    /disk size (\d+) must be/,
    ({ boot, bootSize }, bytes) =>
      boot !== 'disk' && Number(bytes) === bootSize * GiB ? 'bootSize' : 'disks',
  ],
  [/ vCPUs? /, cpus],
  [/"size": memory/, memory],
  [/floating[- ](external )?ip|external IP addresses/i, () => 'floatingIps'],
  [/anti-affinity/i, () => 'antiAffinityGroups'],
  [/network.interface|vpc|subnet|^The IP address|broadcast address|default unicast/i, nics],
  [/hostname/i, () => 'hostname'],
  [/user.data/, userData],
  [/\bdisks?\b/i, () => 'disks'],
]

/** `InsufficientCapacity`, by the exhausted resource. */
const insufficient: Sentence[] = [
  [/Storage Limit Exceeded|Not enough storage/, storage],
  [/No external IP addresses/, emptyPool],
  [/interface|subnet|MAC address/, nics],
]

function bySentence(sentences: Sentence[], said: string, values: InstanceValues) {
  for (const [pattern, field] of sentences) {
    const match = pattern.exec(said)
    if (match) return field(values, match[1] ?? '')
  }
  return undefined
}

/** The form field an API error refers to; undefined if none. */
export function failedField(
  { errorCode, said = '' }: Pick<ApiError, 'errorCode' | 'said'>,
  values: InstanceValues,
): Field | undefined {
  const thing = parseResourceError(said)
  switch (errorCode) {
    case 'ObjectAlreadyExists':
      return thing && taken[thing.type]?.(values, thing.name)
    case 'ObjectNotFound':
      return thing && missing[thing.type]?.(values, thing.name)
    case 'InsufficientCapacity':
      return bySentence(insufficient, said, values)
    case 'InvalidRequest':
    case 'InvalidValue':
      return bySentence(invalid, said, values)
    default: {
      const [part = ''] = bodyProblem(said)?.split(/[.:[]/) ?? []
      return unreadable[part]?.(values, '')
    }
  }
}

/** Shows an API error at its field too, not only in the bottom bar, and scrolls there. */
export function useFailedField(form: UseFormReturn<InstanceValues>, error: ApiError | null): void {
  useEffect(() => {
    const field = error && failedField(error, form.getValues())
    if (!field) return
    const message = field === 'name' ? 'Name already exists' : error.message
    form.setError(field, { message })
    form.setFocus(field)
    // React renders the message after this effect.
    const frame = requestAnimationFrame(() => {
      const part = document.querySelector<HTMLElement>(`[data-problem="${field}"]`)
      part?.focus({ preventScroll: true })
      const shown = part?.firstElementChild ?? document.activeElement
      shown?.scrollIntoView({ block: 'center' })
    })
    return () => cancelAnimationFrame(frame)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once per failed submission
  }, [error])
}
