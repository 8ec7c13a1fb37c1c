import { CellLink } from '../../ui/link.tsx'
import { groupPath, type GroupParams } from './group-kinds.ts'

/** The name of a group in a table, which leads to its page. */
export const GroupLink = (params: GroupParams) => (
  <CellLink to={groupPath(params) as '/'}>{params.group}</CellLink>
)
