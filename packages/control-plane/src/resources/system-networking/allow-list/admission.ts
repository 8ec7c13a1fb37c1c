/**
 * Decides which clients may reach the services at all. Hosts ask before they do anything for a
 * client.
 */
import { admission } from '@steading/api/rules'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { Settings } from '../../../kernel/settings.ts'
import { readAllowed } from './read.ts'

type Admits = (address: string) => boolean

/**
 * The list is read again as often as sessions are, and after each write of this process. While the
 * database cannot be reached, the last list applies.
 * @param now milliseconds of a clock that never goes back
 * @returns whether a client is admitted; fails if the list has never been read
 */
export function createAdmission(
  { db, watch }: OpenDatabase,
  { ignoreAllowList, sessionTrustMs }: Settings,
  now: () => number = () => performance.now(),
): (address: string) => Promise<boolean> {
  let last: { admits: Admits; until: number } | undefined
  let reading: Promise<Admits> | undefined

  function read(): Promise<Admits> {
    const began = now()
    const mine = readAllowed(db)
      .then(({ allowed }) => {
        const admits = admission(allowed)
        // A list read before a write is not kept.
        if (reading === mine) last = { admits, until: began + sessionTrustMs }
        return admits
      })
      .finally(() => {
        if (reading === mine) reading = undefined
      })
    reading = mine
    return mine
  }

  watch({ allow_list: ['allowed_ips'] }, () => {
    reading = undefined
    if (last) last.until = 0
  })

  return async (address) => {
    if (ignoreAllowList) return true
    if (last && now() < last.until) return last.admits(address)
    try {
      return (await (reading ?? read()))(address)
    } catch (error) {
      if (last) return last.admits(address)
      throw error
    }
  }
}
