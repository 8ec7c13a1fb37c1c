import type { tables, Wire } from '@steading/api'
import { addressDoubt, kinds, SESSIONS_SHOWN_MAX } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import type { Work } from '../../../kernel/work.ts'
import { endSessions, hasExpired, sessionLimit } from './sessions.ts'

const toWire = ({ id, time_created, time_last_used }: Row<'console_session'>) => ({
  id,
  time_created,
  time_last_used,
})

/** The unexpired sessions of a user. */
function sessionsOf({ db, now, services }: Pick<Work, 'db' | 'now' | 'services'>, userId: string) {
  return rowsOf(db, 'console_session')
    .selectAll()
    .where('its.user_id', '=', userId)
    .where((eb) => eb.not(hasExpired(services.settings, now)))
}

export const sessionHandlers: Handlers<typeof tables.sessionOperations> = {
  async user_session_list(ctx) {
    const { id: userId, silo_id: siloId } = await lookup(ctx, 'silo_user', ctx.params.user_id)
    authorize(ctx, 'console_session', { siloId, userId })
    return listPage(ctx.page, sessionsOf(ctx, userId), { id: 'its.id' }, toWire)
  },

  async current_user_address_view({ http: { clientAddress, request } }) {
    const doubt = addressDoubt(clientAddress, request.headers.get('x-forwarded-for'))
    return { address: clientAddress || null, doubt }
  },

  async current_user_session_list(ctx) {
    const rows = await sessionsOf(ctx, ctx.actor.userId)
      .orderBy('its.time_last_used', 'desc')
      .orderBy('its.id')
      .limit(SESSIONS_SHOWN_MAX)
      .execute()
    const items = rows.map((row): Wire.OwnSession => ({
      ...toWire(row),
      time_expires: new Date(sessionLimit(row, ctx.services.settings)).toISOString(),
      client_address: row.client_address,
      user_agent: row.user_agent,
      current: row.id === ctx.http.credential?.id,
    }))
    return { items }
  },

  async current_user_session_delete(ctx) {
    const { session_id: id } = ctx.params
    const ended = await endSessions(ctx, { id, userId: ctx.actor.userId }, 'ended')
    if (ended === 0) throw fail.notFoundById(kinds.console_session.type, id)
  },

  async current_user_session_delete_others(ctx) {
    await endSessions(ctx, { userId: ctx.actor.userId, but: ctx.http.credential?.id }, 'ended')
  },
}
