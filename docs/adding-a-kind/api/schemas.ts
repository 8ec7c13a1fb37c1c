import {
  identity,
  identityCreate,
  identityUpdate,
  oneOf,
  record,
  named,
  uuid,
} from '../../schema.ts'

export const WidgetColor = named('WidgetColor', oneOf('red', 'green', 'blue'))

const fields = { ...identity, project_id: uuid, color: WidgetColor }
export const Widget = record('Widget', fields)
export const WidgetCreate = record('WidgetCreate', { ...identityCreate, color: WidgetColor })
export const WidgetUpdate = record('WidgetUpdate', identityUpdate)
