import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'

export const toWireImage = (row: Row<'image'>): Wire.Image => ({
  id: row.id,
  name: row.name,
  description: row.description,
  project_id: row.project_id,
  os: row.os,
  version: row.version,
  size: row.size,
  block_size: row.block_size,
  digest: null,
  time_created: row.time_created,
  time_modified: row.time_modified,
})
