import { alertClassNames } from './classes.ts'
import { ageWords } from '../../rules/limits.ts'
import { dateTime, NameOrId } from '../../schema.ts'
import {
  Alert,
  AlertClass,
  AlertDeliveryId,
  AlertSubscription,
  AlertWithDeliveries,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const alertOperations = usual('alert', {
  item: Alert,
  path: '/v1/alerts/{alert_id}',
  tag: 'system/alerts',
})({
  alert_class_list: {
    route: 'GET /v1/alert-classes',
    summary: 'List the classes that alerts can have',
    permission: { alert: 'list' },
    query: { filter: AlertSubscription.optional() },
    pages: AlertClass,
    sort: 'none',
  },
  alert_list: {
    query: {
      alert_class: AlertSubscription.optional(),
      start_time: dateTime.nullable().optional(),
      end_time: dateTime.nullable().optional(),
    },
    sort: 'time_and_id',
  },
  alert_search: {
    pages: AlertWithDeliveries,
    allColumns: ['time_created', 'class'],
    filters: { class: alertClassNames, age: ageWords },
  },
  alert_view: {},
  alert_delivery_resend: {
    route: 'POST resend',
    summary: 'Deliver an alert to a receiver again',
    permission: { alert: 'read', alert_receiver: 'modify' },
    query: { receiver: NameOrId },
    success: { status: 201, schema: AlertDeliveryId },
    changes: ['alert_delivery'],
  },
})
