import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { pick } from '../../../kernel/pick.ts'

export const toWireImage = (row: Row<'image'>): Wire.Image => ({
  ...identityOf(row),
  ...pick(row, 'project_id', 'os', 'version', 'size', 'block_size'),
  digest: null,
})
