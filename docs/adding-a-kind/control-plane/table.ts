import type { Wire } from '@steading/api'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'

export interface WidgetTable extends Listed, SoftDeleted {
  project_id: string
  color: Wire.WidgetColor
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    widget: WidgetTable
  }
}
