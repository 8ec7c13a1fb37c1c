/**
 * Handles: identifiers of a resource besides its name, such as its id, an IP address or a MAC
 * address, or the beginning of one. They are compared with indexed columns.
 */
import { formatAddress, isUuid, parseAddress } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/schema.ts'

/** A block is found by each full address in it. */
export type HandleForm = 'id' | 'ip' | 'mac' | 'block'

/** A column by whose values resources of a kind are found. */
export interface Handle {
  form: HandleForm
  table: keyof Database
  column: string
  /** Condition for the blocks that contain an address. */
  holds?: (address: string) => RawBuilder<boolean>
  /** The column that holds the id of the resource. */
  thing: string
  /** Condition for rows in some projects, worded for an index on (project, column). */
  within: (projects: RawBuilder<unknown>) => RawBuilder<boolean>
}

/**
 * Values from one text up to, but not including, another; only the text itself if there is no
 * other.
 */
export interface Range {
  from: string
  below?: string
}

/** The texts that begin with this one, which must not be empty. */
export const beginning = (from: string): Range => ({
  from,
  below: from.slice(0, -1) + String.fromCharCode(from.charCodeAt(from.length - 1) + 1),
})

function idRange(text: string): Range | undefined {
  const id = text.toLowerCase()
  if (isUuid(id)) return { from: id }
  return /^[0-9a-f]{8}(-[0-9a-f-]{0,27})?$/.test(id) ? beginning(id) : undefined
}

function ipRange(text: string): Range | undefined {
  const address = text.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  const whole = parseAddress(address)
  if (whole) return { from: formatAddress(whole) }
  const isBeginning =
    /^(\d{1,3}\.){1,3}\d{0,3}$/.test(address) || /^([0-9a-f]{1,4}:){1,7}[0-9a-f:]*$/.test(address)
  return isBeginning ? beginning(address) : undefined
}

function blockRange(text: string): Range | undefined {
  const range = ipRange(text)
  return range && range.below === undefined ? range : undefined
}

/** With colons, dashes or dots between the bytes, or without. */
function macRange(text: string): Range | undefined {
  if (!/^[0-9a-f]{2}([:-]?[0-9a-f]{2})+[:-]?$|^([0-9a-f]{4}\.){1,2}[0-9a-f]{0,4}$/i.test(text)) {
    return undefined
  }
  const digits = text.replaceAll(/[^0-9a-f]/gi, '').toUpperCase()
  const mac = (digits.match(/../g) ?? []).join(':')
  if (digits.length === 12) return { from: mac }
  // Without separators, a few digits are more likely a part of a name.
  return /[:.-]/.test(text) && digits.length < 12 ? beginning(mac) : undefined
}

/** The identifiers that a text may be or begin. Most texts are none. */
export function handlesIn(text: string): Partial<Record<HandleForm, Range>> {
  const trimmed = text.trim()
  return {
    id: idRange(trimmed),
    ip: ipRange(trimmed),
    mac: macRange(trimmed),
    block: blockRange(trimmed),
  }
}

/** Whether a column, or another expression, is in a range. */
export function inRange(
  column: string | RawBuilder<unknown>,
  { from, below }: Range,
): RawBuilder<boolean> {
  const value = typeof column === 'string' ? sql.ref(column) : column
  return below === undefined
    ? sql`${value} = ${from}`
    : sql`${value} >= ${from} and ${value} < ${below}`
}

/** Whether a row has a value of a handle in a range. */
export const hasHandle = ({ column, holds }: Handle, range: Range): RawBuilder<boolean> =>
  holds ? holds(range.from) : inRange(column, range)

/** The handles by which a text may find resources, each with the range of matching values. */
function handlesFor(handles: readonly Handle[], text: string): (Handle & { range: Range })[] {
  const ranges = handlesIn(text)
  return handles.flatMap((handle) => {
    const range = ranges[handle.form]
    return range ? [{ ...handle, range }] : []
  })
}

/** SQL for the values that a text finds in a project, from their index. */
const valuesOf = ({ range, ...handle }: Handle & { range: Range }, projectId: string) =>
  sql`from ${sql.table(handle.table)}
    where ${hasHandle(handle, range)} and ${handle.within(sql`${projectId}`)}`

/**
 * Conditions for rows of resources that a text finds by its id, or by a value that the resource
 * holds.
 */
export function foundBy(
  handles: readonly Handle[],
  text: string,
  projectId: string,
): RawBuilder<boolean>[] {
  const { id } = handlesIn(text)
  const found = handlesFor(handles, text).map(
    (handle) =>
      sql<boolean>`id in (select ${sql.ref(handle.thing)} ${valuesOf(handle, projectId)})`,
  )
  return id ? [inRange('id', id), ...found] : found
}

/**
 * The same conditions, looked up for each row, so that the cost does not depend on how many values
 * a text finds.
 */
export function foundInEach(
  handles: readonly Handle[],
  text: string,
  listed: keyof Database,
): RawBuilder<boolean>[] {
  const { id } = handlesIn(text)
  const found = handlesFor(handles, text).map(({ range, ...handle }) =>
    handle.table === listed
      ? hasHandle(handle, range)
      : sql<boolean>`exists (select 1 from ${sql.table(handle.table)}
          where ${sql.ref(handle.thing)} = ${sql.ref(`${listed}.id`)}
            and (${hasHandle(handle, range)}) is true)`,
  )
  return id ? [inRange('id', id), ...found] : found
}

/** SQL for the number of values that a text finds in a project, up to a limit for each handle. */
export const valuesFound = (
  handles: readonly Handle[],
  text: string,
  projectId: string,
  limit: number,
): RawBuilder<number>[] =>
  handlesFor(handles, text).map(
    (handle) =>
      sql`(select count(*) from (select 1 ${valuesOf(handle, projectId)} limit ${limit}) as held)`,
  )
