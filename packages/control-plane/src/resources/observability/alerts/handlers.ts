import type { tables, Wire } from '@steading/api'
import {
  alertClasses,
  alertMessages,
  classesOf,
  FLEET_ID,
  PROBE_CLASS,
  PROBE_DESCRIPTION,
  subscribesTo,
  subscriptionRefusal,
} from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail, refuseIf } from '../../../kernel/errors.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { pageByTime, pageOfFixed } from '../../../kernel/paging.ts'
import { requireTimeRange } from '../../../kernel/time-range.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { subscriptionsOf } from './subscriptions.ts'
import { beginDeliveries, newDelivery } from './deliveries.ts'
import { toWireAlert } from './kind.ts'

const classes: Wire.AlertClass[] = Object.entries({
  ...alertClasses,
  [PROBE_CLASS]: PROBE_DESCRIPTION,
}).map(([name, description]) => ({ name, description }))

const alerts = usualHandlers('alert', each(toWireAlert), 'alert_id')

export const alertHandlers: Handlers<typeof tables.alertOperations> = {
  alert_search: alerts.search,
  alert_view: alerts.view,

  async alert_class_list(ctx) {
    authorize(ctx, 'alert', {})
    const { filter } = ctx.query
    if (filter === undefined) return pageOfFixed(ctx.page, classes)
    refuseIf(subscriptionRefusal(filter))
    // Probes have no subscribers.
    const names: readonly string[] = classesOf(filter)
    return pageOfFixed(
      ctx.page,
      classes.filter(({ name }) => names.includes(name)),
    )
  },

  async alert_list(ctx) {
    authorize(ctx, 'alert', {})
    const { page, query } = ctx
    let rows = rowsOf(ctx.db, 'alert').selectAll().where('fleet_id', '=', FLEET_ID)
    if (query.alert_class !== undefined) {
      refuseIf(subscriptionRefusal(query.alert_class))
      const names = classesOf(query.alert_class)
      // Subscriptions may name future classes, but no alert has such a class.
      if (names.length === 0) throw fail.notFoundByName('alert-class', query.alert_class)
      rows = rows.where('name', 'in', names)
    }
    const { start_time: start, end_time: end } = query
    requireTimeRange(start, end)
    // The range includes its start, but not its end.
    if (start) rows = rows.where('time_created', '>=', new Date(start).toISOString())
    if (end) rows = rows.where('time_created', '<', new Date(end).toISOString())
    const columns = { time: 'time_created', id: 'id' }
    return pageByTime(page, rows, columns, ({ time_created }) => time_created, toWireAlert)
  },

  async alert_delivery_resend(ctx) {
    const alert = await lookup(ctx, 'alert', ctx.params.alert_id)
    const receiver = await lookup(ctx, 'alert_receiver', ctx.query.receiver)
    const subscriptions = (await subscriptionsOf(ctx.db, [receiver.id])).get(receiver.id)!
    if (!subscriptions.some((subscription) => subscribesTo(subscription, alert.name))) {
      throw fail.invalidRequest(alertMessages.notSubscribed(alert.name))
    }
    const delivery = newDelivery(receiver.id, alert, 'resend', ctx.now)
    await beginDeliveries(ctx, [delivery])
    return { delivery_id: delivery.id }
  },
}
