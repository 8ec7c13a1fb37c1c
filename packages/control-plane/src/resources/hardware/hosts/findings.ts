import type { HostFinding } from '@steading/api/rules'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

/** The column `findings` of hosts. */
export const findingsColumn = jsonColumn<HostFinding[]>()
