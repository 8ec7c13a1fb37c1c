import { useEffect } from 'react'
import type { FieldPath, UseFormReturn } from 'react-hook-form'
import type { ApiError } from '../data/errors.ts'
import { bootImageId, type InstanceValues } from './values.ts'

type Field = FieldPath<InstanceValues>
type Rule = [pattern: RegExp, field: (name: string, values: InstanceValues) => Field | undefined]

/** What the control plane says, and what in the form it is about; the first that matches. */
const rules: Rule[] = [
  [/^already exists: instance "/, () => 'name'],
  [
    /^already exists: disk "(.*)"/,
    (name, { bootName }) => (name === bootName ? 'bootName' : 'disks'),
  ],
  [
    /^not found: disk with (?:name|id) "(.*)"/,
    (name, { boot, bootDisk }) => (boot === 'disk' && name === bootDisk ? 'bootDisk' : 'disks'),
  ],
  [
    /^not found: image with id "(.*)"/,
    (id, values) =>
      values.boot !== 'disk' && id === bootImageId(values) ? `${values.boot}Image` : 'disks',
  ],
  [
    /^not found: ip-pool with (?:name|id) "(.*)"/,
    (name, { pool4 }) => (name === pool4 ? 'pool4' : 'pool6'),
  ],
  [
    /^Insufficient capacity: No external IP addresses/,
    // With both it is not said which of the pools has none left.
    (_, { ephemeral4, ephemeral6 }) => {
      if (ephemeral4 === ephemeral6) return undefined
      return ephemeral4 ? 'pool4' : 'pool6'
    },
  ],
  [/floating[- ](external )?ip/i, () => 'floatingIps'],
  [/anti-affinity/i, () => 'antiAffinityGroups'],
  [
    /network.interface|vpc|subnet|^The IP address|broadcast address|distinct VPC Subnet/i,
    (_, { network }) => (network === 'custom' ? 'nics' : undefined),
  ],
  [/hostname/i, () => 'hostname'],
  [/ssh-key/, () => 'sshKeys'],
  [/user.data/, () => 'userData'],
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

/** Shows a refusal where it can be mended, besides the bar with the buttons. */
export function useFailedField(form: UseFormReturn<InstanceValues>, error: ApiError | null): void {
  useEffect(() => {
    const field = error?.said && failedField(error.said, form.getValues())
    if (!field) return
    const message = field === 'name' ? 'Name already exists' : error.message
    form.setError(field, { message })
    form.setFocus(field)
    // The message itself is drawn after this.
    const frame = requestAnimationFrame(() => {
      const part = document.querySelector(`[data-problem="${field}"] > *`) ?? document.activeElement
      part?.scrollIntoView({ block: 'center' })
    })
    return () => cancelAnimationFrame(frame)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once per failed submission
  }, [error])
}
