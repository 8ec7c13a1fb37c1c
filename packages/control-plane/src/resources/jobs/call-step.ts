import { type OperationId, operationTable } from '@steading/api'
import type { Actor } from '../../kernel/authz/actor.ts'
import { prepareCall } from '../../kernel/call.ts'
import type { Handler } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/database.ts'
import { handlers } from '../../transport/handlers.ts'
import { fail } from '../../kernel/errors.ts'
import type { ControlPlaneServices } from '../../kernel/services.ts'
import { operationOf } from './operations.ts'
import type { JobItemRow, JobRow } from './view.ts'

/** No handler of a step looks at its request. */
const noRequest = new Request('http://localhost/')

/** The instance a disk is attached to; null if it is attached nowhere. */
async function holderOf(db: Db, diskId: string): Promise<string | null> {
  const disk = await db
    .selectFrom('disk')
    .select('instance_id')
    .where('id', '=', diskId)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!disk) throw fail.notFoundById('disk', diskId)
  return disk.instance_id
}

/** What the operation of an item is asked; undefined if there is nothing to ask for any more. */
async function argumentsOf(db: Db, job: JobRow, item: JobItemRow, operation: OperationId) {
  const { step, thing_kind, thing_id, makes } = item
  if (step === 'snapshot') {
    const body = { name: makes!, description: '', disk: thing_id }
    return { params: {}, query: { project: job.project_id! }, body }
  }
  if (step === 'detach' && thing_kind === 'disk') {
    const instance = await holderOf(db, thing_id)
    return instance === null
      ? undefined
      : { params: { instance }, query: {}, body: { disk: thing_id } }
  }
  const [parameter] = Object.keys(operationTable[operation].params!)
  return { params: { [parameter!]: thing_id }, query: {}, body: {} }
}

async function madeSnapshot(db: Db, job: JobRow, item: JobItemRow): Promise<string> {
  const { id } = await db
    .selectFrom('snapshot')
    .select('id')
    .where('project_id', '=', job.project_id)
    .where('name', '=', item.makes)
    .where('time_deleted', 'is', null)
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Calls the operation of an item, as its job's maker would. Nothing is waited for: the reconciler
 * finds whatever the handler wrote down.
 * @returns the id of what it made
 * @throws ApiError what the operation refuses
 */
export async function callStep(
  services: ControlPlaneServices,
  tx: Db,
  actor: Actor,
  job: JobRow,
  item: JobItemRow,
  now: Date,
): Promise<string | null> {
  const id = operationOf(item.step, item.thing_kind)
  if (!id) throw fail.invalidRequest(`there is no way to ${item.step} a ${item.thing_kind}`)
  const asked = await argumentsOf(tx, job, item, id)
  if (!asked) return null
  const call = prepareCall(services, id, {
    ...(asked as never as { params: never; query: never; body: never }),
    page: undefined as never,
    request: noRequest,
    clientAddress: '',
    now,
    actor,
  })
  await (handlers[id] as Handler<OperationId>)(call.context(tx))
  return item.step === 'snapshot' ? madeSnapshot(tx, job, item) : null
}
