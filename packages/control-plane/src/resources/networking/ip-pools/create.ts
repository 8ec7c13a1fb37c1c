import type { Wire } from '@steading/api'
import { FLEET_ID } from '@steading/api/rules'
import type { Row } from '../../../kernel/kinds.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'

/** @throws ApiError 400 for a name that is taken */
export const createPool = (
  writing: Writing,
  { ip_version, pool_type, assignment, ...described }: Wire.IpPoolCreate,
): Promise<Row<'system_ip_pool'>> =>
  insertNamed(writing, 'system_ip_pool', described, {
    fleet_id: FLEET_ID,
    ip_version,
    pool_type,
    assignment,
    allocated: 0,
  })
