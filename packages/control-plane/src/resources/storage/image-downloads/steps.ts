/** The parts that all steps of a download share. */
import type { Updateable } from 'kysely'
import { type RequiredActionsOf, runWork, type Work, writingIn } from '../../../kernel/work.ts'
import { type OperationId, operationTable } from '@steading/api'
import { imageDownloadProblems as problems } from '@steading/api/rules'
import { createAuditContext, type AuditContext } from '../../../kernel/audit/audit-context.ts'
import type { Actor } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { unsynced } from '../../../kernel/db/unsynced.ts'
import type { Step } from '../../../kernel/reconciler/reconciler.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { loadMandate, mandateOfAuthor } from '../../identity/access-tokens/mandate.ts'
import type { ImageDownloadTable, DownloadRow } from './kind.ts'

export type DownloadStep = Step<'image_download'>

/** A claimed download, with everything its steps use. */
export interface Download {
  services: ControlPlaneServices
  step: DownloadStep
  row: DownloadRow
}

/** It cannot succeed; the message is a sentence for the user. */
export class DownloadFailure extends Error {}

/** It was cancelled, or another server goes on with it. */
export class Superseded extends Error {}

/** Milliseconds between two looks at a disk or a snapshot that is being made. */
const WAIT_MS = 500

const later = ({ services }: Download, ms: number): Date =>
  new Date(services.clock().getTime() + ms)

export const requeue = (download: Download, ms: number = WAIT_MS): Promise<void> =>
  download.step.end(download.services.database.db, later(download, ms))

/**
 * Ends the step with new values, unless the download was cancelled meanwhile.
 * @param ms until the next step
 */
export async function endStep(
  tx: Db,
  download: Download,
  values: Updateable<ImageDownloadTable>,
  ms = 0,
): Promise<boolean> {
  const { services, step, row } = download
  const unchanged = { state: row.state }
  const changed = await step.end(tx, later(download, ms), { values, unchanged })
  if (!changed) return false
  await writingIn(tx, services.clock()).emit('image_download', 'update', changed)
  return true
}

/**
 * Writes values without ending the step. A newer claim, or another state, ends it.
 * @throws Superseded
 */
export async function keep(
  tx: Db,
  { row, step }: Download,
  values: Updateable<ImageDownloadTable>,
  { isDurable = true }: { isDurable?: boolean } = {},
): Promise<void> {
  const write = tx
    .updateTable('image_download')
    .set(values)
    .where('id', '=', row.id)
    .where('fence', '=', step.fence)
    .where('state', '=', row.state)
    .returning('id')
  const kept = await (isDurable ? write : write.modifyEnd(unsynced)).executeTakeFirst()
  if (!kept) throw new Superseded()
}

/** Milliseconds between two looks whether a download goes on. */
const WATCH_MS = 1_000

/**
 * Aborts once a download is cancelled, or another server has claimed it.
 * @returns the signal, and a function that ends the watch
 */
export function watch({ services, step, row }: Download): { signal: AbortSignal; end: () => void } {
  const over = new AbortController()
  const look = async () => {
    const ours = await services.database.db
      .selectFrom('image_download')
      .select('id')
      .where('id', '=', row.id)
      .where('fence', '=', step.fence)
      .where('state', '=', row.state)
      .executeTakeFirst()
    if (!ours) over.abort()
  }
  // A database that does not answer ends the step by its next write.
  const timer = setInterval(() => void look().catch(() => {}), WATCH_MS)
  return { signal: over.signal, end: () => clearInterval(timer) }
}

/**
 * The caller for whom a download runs, with the present rights.
 * @throws DownloadFailure if the user or the token is gone
 */
export async function actorOf({ services, row }: Download, db: Db): Promise<Actor> {
  const actor = await loadMandate(db, mandateOfAuthor(row), services.clock())
  if (actor) return actor
  throw new DownloadFailure(row.token_id === null ? problems.userGone : problems.tokenGone)
}

/**
 * Acts for the user who started a download, with their present roles and the permission of an
 * operation.
 * @throws DownloadFailure if the user or the token is gone
 */
export async function asUser<Op extends OperationId, T>(
  download: Download,
  tx: Db,
  operation: Op,
  run: (work: Work<RequiredActionsOf<Op>>) => Promise<T>,
  audit: AuditContext = createAuditContext(),
): Promise<T> {
  const { services } = download
  const actor = await actorOf(download, tx)
  const requiredActions = operationTable[operation].permission as RequiredActionsOf<Op>
  const now = services.clock()
  return runWork({ services, db: tx, now, actor, requiredActions, audit }, run)
}
