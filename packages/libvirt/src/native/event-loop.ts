/**
 * libvirt's event loop: one for each process, which must exist before the first connection.
 *
 * It is run for an instant at a time, because a call that waits for the next event would occupy one
 * of the few worker threads of Node for good, and callbacks from a worker thread would have to wait
 * for the main thread.
 */
import type { Library } from './library.ts'

/** The longest delay of an event. Milliseconds. */
const INTERVAL_MS = 100

let registered = false
let users = 0
let timer: ReturnType<typeof setInterval> | undefined

/**
 * Runs the event loop until the returned function is called as often as this one.
 * @returns ends this use of it
 */
export function runEventLoop({ koffi, types, local }: Library): () => void {
  if (!registered) {
    registered = true
    local('virEventRegisterDefaultImpl')
    // A timer that is always due: a run never waits.
    const due = koffi.register(() => {}, koffi.pointer(types.timeout))
    local('virEventAddTimeout', 0, due, null, null)
  }
  users++
  timer ??= setInterval(() => local('virEventRunDefaultImpl'), INTERVAL_MS).unref()
  let ended = false
  return () => {
    if (ended) return
    ended = true
    users--
    if (users > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
