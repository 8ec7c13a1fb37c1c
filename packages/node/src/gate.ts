/** Keeps out the clients whose addresses are not on the allow list. */
import { errors } from '@steading/api/rules'
import type { ControlPlane } from '@steading/control-plane'
import { isHealthPath } from './health.ts'
import type { Log } from './log.ts'
import { refusal } from './refusals.ts'

/** How soon a connection ends whose client is taken off the list; milliseconds. */
const RECHECK_MS = 1_000

export interface Gate {
  /** The answer to a client that may not come in; undefined if it may. */
  refuse: (clientAddress: string, path: string) => Promise<Response | undefined>
  /**
   * Watches over something that stays open.
   * @param end ends it, once its client may not stay
   * @returns to be called when it has ended
   */
  watch: (clientAddress: string, end: () => void) => () => void
}

export function createGate(ready: Promise<Pick<ControlPlane, 'admits'>>, log: Log): Gate {
  const open = new Set<{ clientAddress: string; end: () => void }>()
  let timer: NodeJS.Timeout | undefined

  async function recheck() {
    const { admits } = await ready
    for (const one of open) if (!(await admits(one.clientAddress))) one.end()
  }

  return {
    async refuse(clientAddress, path) {
      // Load balancers and supervisors ask for it from wherever they are.
      if (isHealthPath(path)) return undefined
      try {
        const { admits } = await ready
        return (await admits(clientAddress)) ? undefined : refusal(errors.sourceRefused())
      } catch {
        // The control plane logs that its database cannot be reached.
        return refusal(errors.unavailable())
      }
    },
    watch(clientAddress, end) {
      const one = { clientAddress, end }
      open.add(one)
      timer ??= setInterval(() => {
        // Nothing ends because the list cannot be read at the moment.
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
