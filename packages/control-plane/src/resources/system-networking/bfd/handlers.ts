import type { tables, Wire } from '@steading/api'
import {
  BFD_INTERVAL_MAX,
  bfdEndsProblem,
  bfdMessages,
  FLEET_ID,
  formatAddress,
  kinds,
  parseAddress,
} from '@steading/api/rules'
import { enginePart } from '../../../kernel/engine-parts.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { pick } from '../../../kernel/pick.ts'
import { answered } from '../uplink-hosts/answered.ts'
import { statesOf } from './states.ts'

type Session = Row<'bfd_session'>
type SessionKey = Pick<Session, 'remote' | 'switch_slot'>

const canonical = (address: string) => formatAddress(parseAddress(address)!)
const keyOf = ({ remote, switch_slot }: Wire.BfdSessionDisable): SessionKey => ({
  remote: canonical(remote),
  switch_slot,
})
/** Name of a switch's session with a router, for messages and events. */
const nameOf = ({ remote, switch_slot }: SessionKey) => `${remote} on ${switch_slot}`

const find = (db: Db, { remote, switch_slot }: SessionKey) =>
  rowsOf(db, 'bfd_session')
    .selectAll()
    .where('switch_slot', '=', switch_slot)
    .where('remote', '=', remote)
    .executeTakeFirst()

export const bfdHandlers: Handlers<typeof tables.bfdOperations> = {
  async networking_bfd_enable(ctx) {
    authorize(ctx, 'bfd_session', {})
    const { local, detection_threshold, required_rx, mode } = ctx.body
    const ends = bfdEndsProblem(ctx.body.remote, local)
    if (ends) throw fail.invalidRequest(ends)
    if (detection_threshold < 1) {
      throw fail.invalidValue('detection_threshold', bfdMessages.threshold)
    }
    if (required_rx < 1 || required_rx > BFD_INTERVAL_MAX) {
      throw fail.invalidValue('required_rx', bfdMessages.interval)
    }
    const key = keyOf(ctx.body)
    if (await find(ctx.db, key)) {
      throw fail.alreadyExists(kinds.bfd_session.type, nameOf(key))
    }
    const session: Session = {
      id: crypto.randomUUID(),
      fleet_id: FLEET_ID,
      ...key,
      local: local ? canonical(local) : null,
      detection_threshold,
      required_rx,
      mode,
      time_created: ctx.now.toISOString(),
    }
    await ctx.db.insertInto('bfd_session').values(session).execute()
    await ctx.emit('bfd_session', 'create', { id: session.id, name: nameOf(key) })
  },

  async networking_bfd_disable(ctx) {
    const key = keyOf(ctx.body)
    const missing = () => fail.notFoundById(kinds.bfd_session.type, nameOf(key))
    authorize(ctx, 'bfd_session', {}, missing)
    const session = await find(ctx.db, key)
    if (!session) throw missing()
    await ctx.db.deleteFrom('bfd_session').where('id', '=', session.id).execute()
    await ctx.emit('bfd_session', 'delete', { id: session.id, name: nameOf(key) })
  },

  async networking_bfd_status(ctx) {
    authorize(ctx, 'bfd_session', {})
    return (await answered(statesOf(ctx.db, enginePart(ctx.services, 'uplinks')))).map(
      ({ session, state }) => ({
        peer: session.remote,
        ...pick(session, 'local', 'detection_threshold', 'required_rx', 'mode', 'switch_slot'),
        state,
      }),
    )
  },
}
