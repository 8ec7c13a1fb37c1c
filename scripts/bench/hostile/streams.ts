/** Streams of one user that never end. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { MiB } from '../../../packages/api/src/rules.ts'
import { openConsole } from './reads.ts'
import { type Load, PROJECT } from './world.ts'

const PASTED = 512 * MiB
const FRAME = Buffer.alloc(64 * 1024, 'x'.repeat(79) + '\r')
/** Bytes that wait in the client itself. */
const AHEAD = 4 * MiB

/** Text pasted to a serial console, as fast as the server takes it. */
export const serialPaste: Load = {
  async apply(world, signal) {
    const socket = await openConsole(world)
    if (!socket) return 'the console was refused'
    const closed = once(socket, 'close').then(([code, reason]) => `closed with ${code} ${reason}`)
    const before = world.memory()
    let most = before
    let sent = 0
    while (sent < PASTED && !signal.aborted && socket.readyState === WebSocket.OPEN) {
      if (socket.bufferedAmount < AHEAD) {
        socket.send(FRAME)
        sent += FRAME.length
      } else await pause(1)
      most = Math.max(most, world.memory())
    }
    const taken = sent - socket.bufferedAmount
    const isOpen = socket.readyState === WebSocket.OPEN
    const outcome = isOpen ? (sent < PASTED ? 'the time was over' : 'all sent') : await closed
    socket.terminate()
    return `${Math.round(taken / MiB)} of ${PASTED / MiB} MiB taken, ${outcome}, memory +${most - before} MiB`
  },
}

const EVENT_STREAMS = 32

/** Event streams whose client reads nothing, during many changes. */
export const silentReaders: Load = {
  async apply({ url, attacker, attackerCookie, memory }, signal) {
    const leaving = new AbortController()
    const before = memory()
    const streams = await Promise.all(
      Array.from({ length: EVENT_STREAMS }, () =>
        fetch(`${url}/x/v1/events`, {
          headers: { cookie: attackerCookie },
          signal: leaving.signal,
        }).catch(() => undefined),
      ),
    )
    let writes = 0
    for (; writes < 300 && !signal.aborted; writes++) {
      await attacker('PUT', `/v1/instances/second?project=${PROJECT}`, { description: `${writes}` })
    }
    const more = memory() - before
    leaving.abort()
    const opened = streams.filter((stream) => stream?.ok).length
    return `${opened} streams, ${writes} writes, memory +${more} MiB`
  },
}
