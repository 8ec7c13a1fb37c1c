import { hostMessages, hostRefusal } from '@steading/api/rules'
import { fail, refuseIf } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import type { Work } from '../../../kernel/work.ts'
import { abortMembership, findMembership, membersOf } from '../racks/membership.ts'
import { findRackWith } from '../hardware/unused-hardware.ts'
import { dropFencing } from '../host-fencing/change.ts'
import { changeHost } from './change.ts'

/**
 * Gives up adding the sled of a host.
 * @throws ApiError 409 if the same change adds other sleds
 */
async function abortAddition(work: Work, serial: string, part: string): Promise<void> {
  const { db, services, afterCommit } = work
  const rack = await findRackWith(db, { part, serial })
  const membership = rack && (await findMembership(db, rack.id))
  if (membership?.state !== 'in_progress') return
  const added = (await membersOf(db, membership)).filter(({ acknowledged }) => acknowledged === 0)
  if (!added.some((member) => member.serial === serial && member.part === part)) return
  if (added.length > 1) throw fail.conflict(hostMessages.addedWithOthers)
  await abortMembership(work, rack!.id)
  afterCommit(async () => services.reconciler.wake('rack'))
}

/**
 * Removes a host. One that the engine knows is gone when the engine has forgotten it.
 * @throws ApiError 409 while it is in service, or its sled still holds something
 */
export async function deleteHost(work: Work, host: Row<'host'>): Promise<void> {
  refuseIf(hostRefusal('delete', { state: host.state, sledId: host.sled_id }))
  const { serial, part } = host
  if (serial === null || part === null) {
    // A step that is checking it writes nothing then.
    await dropFencing(work.db, host.id)
    await deleteRow(work, 'host', host, { generation: host.generation + 1 })
    return
  }
  if (host.state === 'joining') await abortAddition(work, serial, part)
  await changeHost(work, host, { state: 'leaving', check_due: 0 })
}
