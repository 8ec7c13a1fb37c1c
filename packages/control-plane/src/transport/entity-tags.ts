/**
 * Entity tags of the answers to reads, so that a client that reads again gets a few bytes if
 * nothing has changed. The tag is a digest of the presented answer, hence never out of date. Where
 * the database tells how much has been written to it, an answer with a known tag is not even made
 * again until something is written.
 */
import { type OperationId, operationTable } from '@steading/api'
import { kindNames, ownReads } from '@steading/api/rules'
import type { OpenDatabase } from '../kernel/db/database.ts'
import { entityTagOf, namesTag } from '../kernel/entity-tag.ts'
import type { Native } from '../kernel/ports/native.ts'
import type { JsonAnswer } from './response.ts'

/** Number of answers whose tags are kept. */
const MAX_KNOWN = 2_000

/** Reads whose answers depend only on the rows of the database and the caller. */
const reads = new Set<string>(kindNames.flatMap(ownReads))
const isOfRows = (operationId: OperationId) =>
  reads.has(operationId.replace(/_search$/, '_list')) && !operationTable[operationId].live

interface Known {
  tag: string
  /** The state of the database before the answer was made. */
  written: string
}

/** A read: operation and arguments, caller, and version of the API. */
export interface Read {
  operationId: OperationId
  request: Request
  /** The user with the limits of the credential; undefined for callers other than users. */
  caller: string | undefined
  version: number
}

export type Tagged = (
  read: Read,
  make: () => Promise<Response | JsonAnswer>,
) => Promise<Response | JsonAnswer>

const names = (header: string | null, tag: string): boolean =>
  header !== null && namesTag(header, tag)

export function createEntityTags({
  database,
  native,
}: {
  database: Pick<OpenDatabase, 'written'>
  native: Native
}): Tagged {
  /** Least recently used first. */
  const known = new Map<string, Known>()

  const remember = (key: string, answer: Known) => {
    known.delete(key)
    known.set(key, answer)
    if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!)
  }
  const unchanged = (tag: string, from: JsonAnswer['headers'] = {}) => {
    const headers = new Headers(from)
    headers.set('etag', tag)
    headers.delete('content-type')
    return new Response(null, { status: 304, headers })
  }

  return async ({ operationId, request, caller, version }, make) => {
    const asked = request.headers.get('if-none-match')
    // Only for clients that cache answers. It is read before the answer is made, because a write in
    // between makes the tag stale.
    const written =
      asked !== null && isOfRows(operationId) && caller ? database.written?.() : undefined
    const key = `${caller} ${version} ${request.url}`
    const before = known.get(key)
    if (before && written !== undefined && before.written === written && names(asked, before.tag)) {
      return unchanged(before.tag)
    }
    const answer = await make()
    if (answer instanceof Response || answer.status !== 200) return answer
    const { text, headers } = answer
    // Some answers bring their own tag.
    const tag = (headers.etag ??= entityTagOf(native, text))
    if (written !== undefined) remember(key, { tag, written })
    if (names(asked, tag)) return unchanged(tag, headers)
    return answer
  }
}
