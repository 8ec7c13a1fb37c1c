/**
 * libvirt's event loop: one for each process and all of its connections. It must exist before the
 * first of them, because a connection that finds none has no events.
 *
 * A worker thread waits in it until something happens, so it costs nothing while nothing does.
 * Callbacks wait there for the main thread, which runs them; libvirt holds no lock meanwhile.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Library } from './library.ts'

/** A loop that fails is run again after this time. Milliseconds. */
const RETRY_MS = 100
/** `virEventUpdateTimeout`: never. */
const NEVER = -1

/** A timeout of libvirt, by which a waiting loop is woken. */
let alarm: number | undefined
let users = 0
let running: Promise<void> | undefined

async function run({ remote }: Library): Promise<void> {
  while (users > 0) {
    if ((await remote<number>('virEventRunDefaultImpl')) < 0) await pause(RETRY_MS)
  }
  running = undefined
}

/**
 * Runs the event loop until the returned function is called as often as this one.
 * @returns ends this use of it; after the last one, resolves when no thread waits in it any more
 */
export function runEventLoop(library: Library): () => Promise<void> {
  const { koffi, types, local } = library
  if (alarm === undefined) {
    local('virEventRegisterDefaultImpl')
    // It would go off again and again.
    const quiet = () => void local('virEventUpdateTimeout', alarm!, NEVER)
    const rung = koffi.register(quiet, koffi.pointer(types.timeout))
    alarm = local<number>('virEventAddTimeout', NEVER, rung, null, null)
  }
  users++
  running ??= run(library)
  let ended = false
  return async () => {
    if (ended) return
    ended = true
    users--
    if (users > 0) return
    // Also a loop that is about to wait sees that this is due.
    local('virEventUpdateTimeout', alarm!, 0)
    await running
  }
}
