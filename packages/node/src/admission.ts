/** Rejects clients whose addresses are not on the allow list. */
import { errors } from '@steading/api/rules'
import type { ControlPlane } from '@steading/control-plane'
import { isHealthPath } from './health.ts'
import type { Log } from './log.ts'
import { refusal } from './refusals.ts'

/** Milliseconds until open connections of a removed client are closed. */
const RECHECK_MS = 1_000

export interface Admission {
  /** Refusal of a client; undefined if it is admitted. */
  refuse: (clientAddress: string, path: string) => Promise<Response | undefined>
  /**
   * Watches a long-lived connection.
   * @param end closes it, once its client is no longer admitted
   * @returns function to call when it has ended
   */
  watch: (clientAddress: string, end: () => void) => () => void
}

export function createAdmission(ready: Promise<Pick<ControlPlane, 'admits'>>, log: Log): Admission {
  const open = new Set<{ clientAddress: string; end: () => void }>()
  let timer: NodeJS.Timeout | undefined

  async function recheck() {
    const { admits } = await ready
    for (const one of open) if (!(await admits(one.clientAddress))) one.end()
  }

  return {
    async refuse(clientAddress, path) {
      // Load balancers and supervisors ask from any address.
      if (isHealthPath(path)) return undefined
      try {
        const { admits } = await ready
        return (await admits(clientAddress)) ? undefined : refusal(errors.sourceRefused())
      } catch {
        // The control plane logs the database outage.
        return refusal(errors.unavailable())
      }
    },
    watch(clientAddress, end) {
      const one = { clientAddress, end }
      open.add(one)
      timer ??= setInterval(() => {
        // An unreadable list closes no connections.
        recheck().catch((error: unknown) => log('reading the allow list failed', error))
      }, RECHECK_MS).unref()
      return () => {
        open.delete(one)
        if (open.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
