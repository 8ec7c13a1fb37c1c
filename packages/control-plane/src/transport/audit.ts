/** The audit log of calls over HTTP. It has all operations except reads. */
import { OTHER_HOST } from '@steading/api/rules'
import type { Arguments, AuditedOperation } from '../kernel/audit/target.ts'
import { type Audited, entryOf, type Origin, writeEntries } from '../kernel/audit/entry.ts'
import { missesRequest } from '../kernel/audit/late-entries.ts'
import { createAuditContext, type AuditContext } from '../kernel/audit/audit-context.ts'
import type { Caller } from '../kernel/authz/caller.ts'
import type { Db } from '../kernel/db/database.ts'
import { authorOf } from '../kernel/events/outbox.ts'
import type { ApiError } from '../kernel/errors.ts'
import type { ControlPlaneServices } from '../kernel/services.ts'
import { networksOf } from '../resources/identity/auth/networks.ts'

/** Burst of entries that refused calls without credentials may cause from one address. */
const STRANGER_BURST = 30
/** Interval at which it may cause further entries, in milliseconds. */
const STRANGER_INTERVAL_MS = 1_000
const MAX_STRANGERS = 10_000

/**
 * Limits the entries that clients without credentials cause, so that they cannot fill the disk.
 * Successful sign-ins are not limited.
 */
export interface AnonymousEntryLimit {
  /** Whether one more entry may be written for a client at this address. */
  allow: (address: string) => boolean
}

/** @param now milliseconds of a clock that never goes back */
export function createAnonymousEntryLimit(
  now: () => number = () => performance.now(),
): AnonymousEntryLimit {
  /** Network → when all of its entries are forgotten. */
  const until = new Map<string, number>()
  return {
    allow(address) {
      const present = now()
      // A larger network may cause proportionally more entries, because it has more clients.
      const next = networksOf(address).map(({ name, share }) => {
        const interval = STRANGER_INTERVAL_MS / share
        const at = Math.max(until.get(name) ?? 0, present) + interval
        return { name, at, allowed: at - present <= STRANGER_BURST * STRANGER_INTERVAL_MS }
      })
      if (!next.every(({ allowed }) => allowed)) return false
      if (until.size >= MAX_STRANGERS) until.clear()
      for (const { name, at } of next) until.set(name, at)
      return true
    },
  }
}

/** Facts about a call, collected while it is handled. */
export interface CallAudit {
  requestId: string
  caller?: Caller
  /** Set once parsed. */
  args?: Arguments
  /** Of the last attempt of the handler. */
  context: AuditContext
  /** Whether the changes of the call, and so its entry, are committed. */
  committed: boolean
  /** Writes the entry of a call that succeeds, in its transaction. */
  succeeded: (db: Db) => Promise<void>
  /** Writes the entry of a call that was refused or has failed. */
  refused: (error: ApiError) => Promise<void>
}

/** The refusal of a malformed call without its quotation, which may contain a secret. */
const unquoted = (message: string): string => message.split(':')[0]!

/** The refusal without the property of the body that is a secret. */
function withoutSecret(message: string, { operation }: AuditedOperation, { body }: Arguments) {
  const name = operation.audited && operation.audited.secret
  const secret = name && (body as Record<string, unknown> | undefined)?.[name]
  return typeof secret === 'string' && secret ? message.replaceAll(secret, '…') : message
}

export function createCallAudit(
  services: ControlPlaneServices,
  anonymousEntries: AnonymousEntryLimit,
  called: AuditedOperation,
  request: Request,
  { requestId, clientAddress }: { requestId: string; clientAddress: string },
): CallAudit {
  const { clock, database, settings } = services
  const started = clock()
  const { pathname, search } = new URL(request.url)
  const origin: Origin = {
    requestId,
    uri: pathname + search,
    sourceIp: clientAddress,
    userAgent: request.headers.get('user-agent'),
  }
  const audited = (error?: Audited['error']): Audited => ({
    called,
    origin: { ...origin, credential: audit.caller?.credential },
    author: audit.caller && authorOf(audit.caller),
    args: audit.args ?? {},
    audit: audit.context,
    started,
    completed: clock(),
    error,
  })
  const audit: CallAudit = {
    requestId,
    context: createAuditContext(),
    committed: false,

    succeeded: (db) => writeEntries(db, [entryOf(audited())]),

    async refused({ template }) {
      if (audit.committed) return
      if (!audit.caller) {
        // A caller who is not signed in has changed nothing; only sign-in attempts are logged.
        if (called.operation.permission !== 'public') return
        if (!anonymousEntries.allow(clientAddress)) return
      }
      // It quotes hosts from headers, which operators need, and no argument of the call.
      const isOtherHost = template.error_code === OTHER_HOST
      const message = isOtherHost
        ? template.message
        : audit.args
          ? withoutSecret(template.message, called, audit.args)
          : unquoted(template.message)
      const entry = entryOf(audited({ ...template, message }))
      try {
        await writeEntries(database.db, [entry])
      } catch (error) {
        // The caller gets the refusal, not this error.
        const { outages, lateEntries } = services
        if (!outages.recognize(error)) settings.log(missesRequest(requestId), error)
        else if (!lateEntries.keep(entry)) settings.log(missesRequest(requestId))
      }
    },
  }
  return audit
}
