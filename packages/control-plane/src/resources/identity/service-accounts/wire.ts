import type { Wire } from '@steading/api'
import { identityOf } from '../../../kernel/identity.ts'
import type { ServiceAccountRow } from './lookup.ts'

export const toWireServiceAccount = (row: ServiceAccountRow): Wire.ServiceAccount => ({
  ...identityOf(row),
  silo_id: row.silo_id,
  project_id: row.project_id,
})
