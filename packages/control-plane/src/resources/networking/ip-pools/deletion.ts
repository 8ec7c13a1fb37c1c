import { tell } from '../../workspace/deletion/relations.ts'
import { linkedSilos, partsOfPool } from '../pools/deletion.ts'
import { rangesOf } from './addresses.ts'
import { ipPools } from './links.ts'
import { rangeOf } from './view.ts'

linkedSilos(ipPools)

tell('system_ip_pool', ({ db }, { id }) =>
  partsOfPool('ip_pool_range', rangesOf(db, id), (row) => {
    const { first, last } = rangeOf(row)
    return first === last ? first : `${first} - ${last}`
  }),
)
