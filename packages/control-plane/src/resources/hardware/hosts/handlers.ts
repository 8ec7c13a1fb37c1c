import type { tables } from '@steading/api'
import {
  FLEET_ID,
  hostAddressProblem,
  hostMessages,
  hostName,
  hostRefusal,
} from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'
import { requirePart } from '../../../kernel/engine-parts.ts'
import { fail, refuseIf } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { Work } from '../../../kernel/work.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { requestFencing } from '../host-fencing/change.ts'
import { storyOf } from '../host-fencing/events.ts'
import { changeHost } from './change.ts'
import { deleteHost } from './delete.ts'
import { toWireHosts } from './wire.ts'

/**
 * @param id of the host that is to get the address; undefined for a new one
 * @throws ApiError 400 for a text that is no address, 409 for the address of another host
 */
async function requireAddress(db: Db, address: string, id?: string): Promise<void> {
  const problem = hostAddressProblem(address)
  if (problem !== undefined) throw fail.invalidValue('address', problem)
  const others = await rowsOf(db, 'host')
    .select('its.id')
    .where((eb) => eb.or([eb('its.address', '=', address), eb('its.next_address', '=', address)]))
    .execute()
  if (others.some((other) => other.id !== id)) throw fail.conflict(hostMessages.taken(address))
}

async function createHost(
  { db, now, emit, afterCommit, services }: Work,
  { address }: { address: string },
): Promise<Row<'host'>> {
  await requireAddress(db, address)
  const time = now.toISOString()
  const row = await db
    .insertInto('host')
    .values({
      id: crypto.randomUUID(),
      fleet_id: FLEET_ID,
      ...named(hostName(address)),
      address,
      next_address: null,
      state: 'checking',
      check_due: 1,
      time_checked: null,
      clock_ahead: null,
      time_clock_apart: null,
      part: null,
      serial: null,
      sled_id: null,
      time_created: time,
      time_modified: time,
      time_deleted: null,
      reconcile_at: time,
      ...unclaimed,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit('host', 'create', row)
  afterCommit(async () => services.reconciler.wake('host'))
  return row
}

/** @throws ApiError 400, or 409 for an address that is taken, or in a state without changes */
async function updateHost(
  work: Work,
  host: Row<'host'>,
  { address }: { address: string },
): Promise<Row<'host'>> {
  refuseIf(hostRefusal('update', { state: host.state, sledId: host.sled_id }))
  await requireAddress(work.db, address, host.id)
  if (host.state === 'in_service') {
    return changeHost(work, host, {
      next_address: address === host.address ? null : address,
      check_due: 1,
    })
  }
  return changeHost(work, host, {
    ...named(hostName(address)),
    address,
    state: 'checking',
    check_due: 1,
    // They are about another address.
    findings: '[]',
    time_checked: null,
  })
}

/** @throws ApiError 409 in a state without checks */
async function checkHost(work: Work, host: Row<'host'>): Promise<Row<'host'>> {
  refuseIf(hostRefusal('check', { state: host.state, sledId: host.sled_id }))
  return changeHost(work, host, {
    state: host.state === 'refused' ? 'checking' : host.state,
    check_due: 1,
  })
}

const hosts = usualHandlers('host', toWireHosts, 'host_id')

export const hostHandlers: Handlers<typeof tables.hostOperations> = {
  host_search: hosts.search,
  host_view: hosts.view,

  async host_create(ctx) {
    authorize(ctx, 'host', {})
    const [created] = await toWireHosts([await createHost(ctx, ctx.body)], ctx)
    return created!
  },

  host_update: hosts.change(updateHost),

  async host_check(ctx) {
    const [checked] = await toWireHosts([await checkHost(ctx, await hosts.find(ctx))], ctx)
    return checked!
  },

  async host_fence(ctx) {
    requirePart(ctx.services.engine, 'fencing')
    const host = await hosts.find(ctx)
    await requestFencing(ctx, host)
    const [fenced] = await toWireHosts([host], ctx)
    return fenced!
  },

  host_story: async (ctx) => storyOf(ctx.db, (await hosts.find(ctx)).id),

  host_delete: hosts.delete(deleteHost),
}
