import { tell } from '../../workspace/deletion/relations.ts'
import { linkedSilos, partsOfPool } from '../pools/deletion.ts'
import { subnetPools } from './links.ts'
import { membersOf } from './members.ts'

linkedSilos(subnetPools)

tell('system_subnet_pool', ({ db }, { id }) =>
  partsOfPool('subnet_pool_member', membersOf(db, id), ({ subnet }) => subnet),
)
