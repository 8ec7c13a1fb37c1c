/**
 * The effect of PATCH operations on the members of a group, without reading the present members.
 */
import { isUuid } from '@steading/api/rules'
import { bad } from './errors.ts'
import type { Filter } from './filter.ts'
import type { Change } from './patch.ts'
import { property } from './values.ts'

/** A change of the members of a group. */
export interface MemberChange {
  /** Whether present members stay, unless they are removed. */
  keeps: boolean
  add: Set<string>
  remove: Set<string>
}

/**
 * The ids of users in the value of `members`.
 * @throws ApiError 400 for an invalid value
 */
export function memberIds(value: unknown): string[] {
  const sent = value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]
  return sent.map((each) => {
    const object =
      typeof each === 'object' && each !== null ? (each as Record<string, unknown>) : {}
    const id = typeof each === 'string' ? each : property(object, 'value')
    const type = property(object, 'type')
    if (typeof type === 'string' && type.toLowerCase() !== 'user') {
      throw bad('invalidValue', 'Only users can be members of a group')
    }
    if (typeof id !== 'string' || !isUuid(id)) {
      throw bad('invalidValue', 'Each of the members must have the id of a user as its value')
    }
    return id.toLowerCase()
  })
}

/** The users in a filter of members: one or several, by id. */
function idsOf(filter: Filter): string[] {
  if (filter.kind === 'or') return [...idsOf(filter.left), ...idsOf(filter.right)]
  if (filter.kind === 'compare' && filter.operator === 'eq' && !filter.path.sub) {
    const { name } = filter.path
    if (name.toLowerCase() === 'value' && typeof filter.value === 'string') {
      return [filter.value.toLowerCase()]
    }
  }
  throw bad('invalidFilter', 'Members can be filtered by value eq "…" only')
}

/** @throws ApiError 400 */
export function memberChange(changes: readonly Change[]): MemberChange {
  const result: MemberChange = { keeps: true, add: new Set(), remove: new Set() }
  const { add, remove } = result
  const clear = () => {
    result.keeps = false
    add.clear()
    remove.clear()
  }
  for (const { op, filter, part, value } of changes) {
    if (part) throw bad('mutability', `${part.name} of a member cannot be changed`)
    if (op !== 'remove') {
      if (filter) throw bad('invalidPath', 'Members are added and replaced without a filter')
      const ids = memberIds(value)
      if (op === 'replace') clear()
      for (const id of ids) {
        add.add(id)
        remove.delete(id)
      }
      continue
    }
    if (!filter && value === undefined) {
      clear()
      continue
    }
    for (const id of filter ? idsOf(filter) : memberIds(value)) {
      add.delete(id)
      if (result.keeps) remove.add(id)
    }
  }
  return result
}
