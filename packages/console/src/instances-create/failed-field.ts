import { GiB } from '@steading/api/rules'
import { useEffect } from 'react'
import type { FieldPath, UseFormReturn } from 'react-hook-form'
import type { ApiError } from '../data/errors.ts'
import { bootSourceField } from './boot-source.ts'
import type { InstanceValues } from './values.ts'

type Field = FieldPath<InstanceValues>
type Rule = [pattern: RegExp, field: (said: string, values: InstanceValues) => Field | undefined]

/** A disk by its name: the boot disk that is attached, or one of the others. */
const diskToAttach = (name: string, { boot, bootDisk }: InstanceValues): Field =>
  boot === 'disk' && name === bootDisk ? 'bootDisk' : 'disks'

/** What a disk is made of, by its id: the source of the boot disk, or of one of the others. */
const sourceOf = (id: string, values: InstanceValues): Field => {
  const field = bootSourceField(values)
  return field && values[field] === id ? field : 'disks'
}

const madeOnlyToBoot = ({ boot, disks }: InstanceValues): boolean =>
  boot !== 'disk' && disks.every(({ action }) => action === 'attach')

const ofCustomNics = (_: string, { network }: InstanceValues): Field =>
  network === 'custom' ? 'nics' : 'network'

/** What the control plane says, and what in the form it is about; the first that matches. */
const rules: Rule[] = [
  [/^already exists: instance "/, () => 'name'],
  [
    /^already exists: disk "(.*)"/,
    (name, { boot, bootName }) => (boot !== 'disk' && name === bootName ? 'bootName' : 'disks'),
  ],
  [/^not found: disk with (?:name|id) "(.*)"/, diskToAttach],
  [/^cannot attach disk "(.*)":/, diskToAttach],
  [/^not found: (?:image|snapshot) with id "(.*)"/, sourceOf],
  [
    /^cannot create a disk of a snapshot/,
    (_, { boot }) => (boot === 'snapshot' ? 'bootSnapshot' : 'disks'),
  ],
  [
    /disk size (\d+) must be/,
    (bytes, { boot, bootSize }) =>
      boot !== 'disk' && Number(bytes) === bootSize * GiB ? 'bootSize' : 'disks',
  ],
  [
    /Storage Limit Exceeded|Not enough storage/,
    (_, values) => (madeOnlyToBoot(values) ? 'bootSize' : 'disks'),
  ],
  [/ vCPUs? /, (_, { hardware }) => (hardware === 'Custom' ? 'ncpus' : 'preset')],
  [/"size": memory/, (_, { hardware }) => (hardware === 'Custom' ? 'memory' : 'preset')],
  [
    /^not found: ip-pool with (?:name|id) "(.*)"/,
    (name, { pool4 }) => (name === pool4 ? 'pool4' : 'pool6'),
  ],
  [
    /^Insufficient capacity: No external IP addresses/,
    // It is not said which pool; IPv6 ones hardly ever run out, and without any it was for outbound.
    (_, { ephemeral4, ephemeral6 }) => (ephemeral4 ? 'pool4' : ephemeral6 ? 'pool6' : 'network'),
  ],
  [/floating[- ](external )?ip|external IP addresses/i, () => 'floatingIps'],
  [/anti-affinity/i, () => 'antiAffinityGroups'],
  [/network.interface|vpc|subnet|^The IP address|broadcast address|default unicast/i, ofCustomNics],
  [/hostname/i, () => 'hostname'],
  [/ssh.key/, () => 'sshKeys'],
  [/user.data/, (_, { userDataFrom }) => (userDataFrom === 'text' ? 'userDataText' : 'userData')],
  [/\bdisks?\b/i, () => 'disks'],
]

/** The part of the form a refusal is about; undefined if it is about none. */
export function failedField(said: string, values: InstanceValues): Field | undefined {
  for (const [pattern, field] of rules) {
    const match = pattern.exec(said)
    if (match) return field(match[1] ?? '', values)
  }
  return undefined
}

/** Shows a refusal where it can be mended, besides the bar with the buttons, and goes there. */
export function useFailedField(form: UseFormReturn<InstanceValues>, error: ApiError | null): void {
  useEffect(() => {
    const field = error?.said && failedField(error.said, form.getValues())
    if (!field) return
    const message = field === 'name' ? 'Name already exists' : error.message
    form.setError(field, { message })
    form.setFocus(field)
    // The message itself is drawn after this.
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
