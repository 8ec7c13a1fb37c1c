import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'

export const toWireProject = (row: Row<'project'>): Wire.Project => ({
  ...identityOf(row),
})
