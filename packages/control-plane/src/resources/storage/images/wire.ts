import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'

export const toWireImage = (row: Row<'image'>): Wire.Image => ({
  ...identityOf(row),
  project_id: row.project_id,
  os: row.os,
  version: row.version,
  size: row.size,
  block_size: row.block_size,
  digest: null,
})
