import { restoreMessages } from '@steading/api/rules'
import { ApiError } from '../../../kernel/errors.ts'
import { readLive } from '../../../kernel/kinds.ts'
import { CannotRestore, type Restoring } from '../../workspace/deleted-resources/restoration.ts'
import { freeMac, isMacTaken, takeSubnetAddress } from './subnet-addresses.ts'
import type { NetworkInterfaceRow } from './wire.ts'

/** Takes the addresses of an interface again, or others where they are in use. */
export async function restoreInterface(
  { work: { db }, note }: Restoring,
  row: NetworkInterfaceRow,
): Promise<NetworkInterfaceRow> {
  const subnet = await readLive(db, 'vpc_subnet', row.subnet_id)
  const take = async (column: 'ipv4' | 'ipv6'): Promise<string | null> => {
    const was = row[column]
    if (was === null) return null
    try {
      return await takeSubnetAddress(db, subnet, column, { type: 'explicit', value: was })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
    try {
      const now = await takeSubnetAddress(db, subnet, column, { type: 'auto' })
      note(restoreMessages.otherAddress(was, now))
      return now
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new CannotRestore(restoreMessages.noAddress(was))
    }
  }
  const ipv4 = await take('ipv4')
  const ipv6 = await take('ipv6')
  const mac = (await isMacTaken(db, row.vpc_id, row.mac)) ? await freeMac(db, row.vpc_id) : row.mac
  return { ...row, ipv4, ipv6, mac }
}
