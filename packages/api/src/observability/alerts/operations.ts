import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { alertClassNames } from './classes.ts'
import { ageWords } from '../../rules/limits.ts'
import { dateTime, NameOrId, uuid } from '../../schema.ts'
import { searched } from '../../searched.ts'
import {
  Alert,
  AlertClassResultsPage,
  AlertDeliveryId,
  AlertResultsPage,
  AlertSubscription,
  AlertWithDeliveries,
} from './schemas.ts'

const tags = ['system/alerts']
const params = { alert_id: uuid }

const alert_list = {
  method: 'GET',
  path: '/v1/alerts',
  tags,
  summary: 'List alerts',
  permission: { alert: 'list' },
  ...paged('time_and_id', {
    alert_class: AlertSubscription.optional(),
    start_time: dateTime.nullable().optional(),
    end_time: dateTime.nullable().optional(),
  }),
  success: { status: 200, schema: AlertResultsPage },
} as const satisfies Operation

export const alertOperations = {
  alert_class_list: {
    method: 'GET',
    path: '/v1/alert-classes',
    tags,
    summary: 'List the classes that alerts can have',
    permission: { alert: 'list' },
    ...paged('none', { filter: AlertSubscription.optional() }),
    success: { status: 200, schema: AlertClassResultsPage },
  },
  alert_list,
  alert_search: searched({
    kind: 'Alert',
    item: AlertWithDeliveries,
    plain: alert_list,
    columns: ['time_created', 'class'],
    filters: { class: alertClassNames, age: ageWords },
  }),
  alert_view: {
    method: 'GET',
    path: '/v1/alerts/{alert_id}',
    tags,
    summary: 'Show an alert',
    permission: { alert: 'read' },
    params,
    success: { status: 200, schema: Alert },
  },
  alert_delivery_resend: {
    method: 'POST',
    path: '/v1/alerts/{alert_id}/resend',
    tags,
    summary: 'Deliver an alert to a receiver again',
    permission: { alert: 'read', alert_receiver: 'modify' },
    params,
    query: { receiver: NameOrId },
    success: { status: 201, schema: AlertDeliveryId },
  },
} as const satisfies Record<string, Operation>
