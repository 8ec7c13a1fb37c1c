import type { Wire } from '@steading/api'
import type { Identity, SoftDeleted } from '../../kernel/db/schema.ts'

export interface WidgetTable extends Identity, SoftDeleted {
  project_id: string
  color: Wire.WidgetColor
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    widget: WidgetTable
  }
}
