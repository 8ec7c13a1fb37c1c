/**
 * Drives simulated machines at the server that holds their sled: advances their time, and runs
 * their guests with output, keyboard and commands. Other servers read the stored output.
 */
import { Console, KEPT_BYTES, yieldToEventLoop } from '@steading/control-plane/engine'
import type {
  ConsoleLine,
  ConsoleStart,
  ConsoleViewer,
  EngineContext,
} from '@steading/control-plane/ports'
import { concatUint8Arrays } from 'uint8array-extras'
import { createGuestNetwork } from './guest-network.ts'
import { Guest } from './guest.ts'
import type { SimulatedOptions } from './options.ts'
import { CHUNK_BYTES, FULL_ROW_BYTES, type Rows } from './rows.ts'
import { createSledLeases } from './sled-leases.ts'
import { advance, bootAgain, enter, isAtRest, isMoving, type MachineState } from './state.ts'

/** Interval of advancing machines that start or stop, in milliseconds. */
const TICK_MS = 50
/** Interval of running commands in guests, in milliseconds. */
const RUN_MS = 10
/**
 * Polling interval for keys from other servers, and for output of machines that they drive, in
 * milliseconds.
 */
const SHARED_MS = 100
/** Polling interval while there is output or input. */
const SHARED_BUSY_MS = 20
/** Delay before retrying to store output, in milliseconds. */
const WRITE_RETRY_MS = 1_000

/** Maximum number of bytes typed at a time. */
const TYPED_BYTES = 4 * 1024
/** Pieces of keys that wait for the server that drives a machine; a viewer who types more waits. */
const MAX_HANDED = 64

/** Removes the first bytes from a list of pieces, as many as are typed at a time. */
function firstOf(pieces: Uint8Array[]): Uint8Array {
  let bytes = 0
  let count = 0
  while (count < pieces.length && bytes < TYPED_BYTES) bytes += pieces[count++]!.length
  const [first, ...more] = pieces.splice(0, count)
  const all = more.length === 0 ? (first ?? new Uint8Array()) : concatUint8Arrays([first!, ...more])
  if (all.length > TYPED_BYTES) pieces.unshift(all.subarray(TYPED_BYTES))
  return all.subarray(0, TYPED_BYTES)
}

const GONE = 'the instance is not running any more'
const CLOSING = 'the control plane is shutting down'

export type Driver = ReturnType<typeof createDriver>

export function createDriver(
  rows: Rows,
  options: SimulatedOptions,
  parts: EngineContext,
  changed: (machineId: string) => void,
) {
  const { clock, log, networks } = parts
  const { shared } = parts.database
  const server = crypto.randomUUID()
  const now = () => clock().getTime()
  /** Consoles with viewers or a guest at this server. */
  const consoles = new Map<string, Console>()
  /** Busy guests driven by this server. */
  const guests = new Map<string, Guest>()
  const loading = new Map<string, Promise<Guest | undefined>>()
  const busy = new Set<Guest>()
  let ticker: ReturnType<typeof setInterval> | undefined
  let runner: ReturnType<typeof setInterval> | undefined
  let poller: ReturnType<typeof setTimeout> | undefined
  let polling: Promise<void> | undefined
  let closed = false

  const leases = createSledLeases(
    rows,
    parts,
    async (sledId) => {
      // Machines whose consoles are shown here are now driven here.
      for (const id of [...(await rows.loadMoving(sledId)), ...consoles.keys()]) {
        look(id).catch((error) => log('reading a simulated machine failed', error))
      }
    },
    (sledId) => {
      for (const guest of guests.values()) if (guest.state.spec.sled.id === sledId) drop(guest)
    },
  )

  const isDriven = (guest: Guest): boolean => guests.get(guest.id) === guest

  /** Removes a guest from memory; its console is still followed while it has viewers. */
  const drop = (guest: Guest): void => {
    if (isDriven(guest)) guests.delete(guest.id)
    busy.delete(guest)
  }

  /** Removes a guest and disconnects its viewers, because the machine was destroyed. */
  const forget = (id: string): void => {
    const guest = guests.get(id)
    if (guest) drop(guest)
    consoles.get(id)?.disconnect(GONE)
    consoles.delete(id)
  }

  /**
   * Reads the row again: the machine was destroyed or rebooted, or another server drives it now.
   */
  const lookAfresh = (guest: Guest): void => {
    if (!isDriven(guest)) return
    drop(guest)
    load(guest.id)
      .then((again) => again && passSerially(again))
      .catch((error) => log('reading a simulated machine failed', error))
  }

  /**
   * Stores the output of a console before it is shown, so that a crash loses no output that a
   * viewer has seen.
   */
  const writeAll = async (guest: Guest): Promise<void> => {
    const { console } = guest
    while (console.written < console.buffer.length && isDriven(guest)) {
      const { boot } = console
      const { row, endOffset } = console.nextRow(CHUNK_BYTES, FULL_ROW_BYTES)
      const sled = leases.held(guest.state.spec.sled.id)
      try {
        const appended = sled && (await rows.append(guest.id, boot, row, sled))
        if (!appended) return lookAfresh(guest)
      } catch (error) {
        log('storing console output failed', error)
        await new Promise((resolve) => setTimeout(resolve, closed ? 0 : WRITE_RETRY_MS))
        if (closed) return
        continue
      }
      if (console.boot === boot) console.show(endOffset)
    }
  }
  const write = async (guest: Guest): Promise<void> => {
    guest.writing ??= writeAll(guest).finally(() => (guest.writing = undefined))
    await guest.writing
  }

  const runBusy = () => {
    for (const guest of busy) {
      guest.run()
      void write(guest)
      if (!guest.busy || !isDriven(guest)) {
        busy.delete(guest)
        rest(guest)
      }
    }
    if (busy.size > 0) return
    clearInterval(runner)
    runner = undefined
  }

  /** Removes an idle guest without viewers from memory. */
  const rest = (guest: Guest): void => {
    const { console } = guest
    if (isMoving(guest.state) || guest.busy || guest.watched || guest.writing) return
    if (console.written < console.buffer.length) return
    drop(guest)
    if (!console.watched) consoles.delete(guest.id)
  }

  /** Runs work on a guest after all earlier work on it. */
  const serialize = <T>(guest: Guest, work: () => Promise<T>): Promise<T> => {
    const done = guest.turn.then(work)
    guest.turn = done.catch(() => {})
    return done
  }

  /**
   * Reloads the state of a machine from its row.
   * @returns whether the machine exists
   */
  const reload = async (guest: Guest): Promise<boolean> => {
    const state = await rows.load(guest.id)
    if (state) return adopt(guest, state)
    forget(guest.id)
    return false
  }

  /**
   * Adopts a stored state.
   * @returns whether the guest is still driven here
   */
  const adopt = async (guest: Guest, state: MachineState): Promise<boolean> => {
    if (state.version <= guest.state.version) return true
    if (state.boot === guest.console.boot) {
      guest.state = state
      guest.seeDisks()
      return true
    }
    guest.printRebooting()
    // Only current viewers see the last output; the stored output begins with the boot.
    guest.console.show(guest.console.buffer.length)
    guest.state = state
    await guest.writing
    if (!isDriven(guest)) return false
    guest.boot()
    await rows.clearBefore(guest.id, state.boot)
    return true
  }

  /** Advances a machine: prints the output that is due, and ends an elapsed phase. */
  const pass = async (guest: Guest): Promise<void> => {
    // It has moved to a sled of another server.
    if (!leases.held(guest.state.spec.sled.id)) return drop(guest)
    for (;;) {
      if (!isDriven(guest)) return
      const before = guest.state
      let next = advance(before, now(), options)
      if (guest.wants === 'off') next = enter(before, 'stopping', now())
      if (guest.wants === 'reboot') next = bootAgain(before, now())
      if (guest.wants === 'crash') next = enter(before, 'failed', now())
      if (next !== before) {
        if (isAtRest(next)) {
          // The final output is stored before the row shows the machine as off, when no caller
          // waits for more.
          if (next.phase === 'failed') guest.printPanic()
          else guest.printEnd()
          await write(guest)
        }
        const saved = await rows.save(next)
        if (!saved) {
          if (!(await reload(guest))) return
          continue
        }
        if (!(await adopt(guest, saved))) return
      }
      guest.print(now(), options)
      await write(guest)
      if (next === before) break
      // Notifies the control plane when a machine has booted.
      if (next.phase !== 'booting') changed(guest.id)
      if (next.phase === 'failed') break
      if (advance(guest.state, now(), options) === guest.state) break
    }
    if (isAtRest(guest.state)) guest.console.disconnect(GONE)
    if (isMoving(guest.state)) keepTicking()
    if (guest.busy) {
      busy.add(guest)
      if (!closed) runner ??= setInterval(runBusy, RUN_MS)
    }
    rest(guest)
  }
  const passSerially = (guest: Guest) =>
    serialize(guest, () => pass(guest)).catch((error) =>
      log('driving a simulated machine failed', error),
    )

  const tick = () => {
    let moving = 0
    for (const guest of guests.values()) {
      if (!isMoving(guest.state)) continue
      moving++
      void passSerially(guest)
    }
    if (moving > 0) return
    clearInterval(ticker)
    ticker = undefined
  }
  const keepTicking = () => {
    if (!closed) ticker ??= setInterval(tick, TICK_MS)
  }

  const consoleOf = (id: string, boot: number): Console => {
    let found = consoles.get(id)
    if (!found) consoles.set(id, (found = new Console(id, boot)))
    return found
  }

  /** Reads the stored output of a boot into a console. */
  const restore = async (console: Console, boot: number): Promise<void> => {
    if (console.boot !== boot) console.reset(boot)
    const end = await rows.outputEnd(console.id, boot)
    const { data, endOffset } = await rows.output(console.id, boot, end - KEPT_BYTES, end)
    console.restore(data, endOffset)
  }

  /**
   * The guest of a machine whose sled this server drives.
   * @param made the state of a new machine, which has no output yet
   */
  const load = (id: string, made?: MachineState): Promise<Guest | undefined> => {
    const found = guests.get(id)
    if (found) return Promise.resolve(found)
    let work = loading.get(id)
    if (!work) {
      work = (async () => {
        const state = made ?? (await rows.load(id))
        if (!state) {
          forget(id)
          return undefined
        }
        if (!leases.held(state.spec.sled.id)) return undefined
        const console = consoleOf(id, state.boot)
        if (!made) await restore(console, state.boot)
        const guest = new Guest(state, console, now, createGuestNetwork(id, rows, networks))
        guests.set(id, guest)
        return guest
      })().finally(() => loading.delete(id))
      loading.set(id, work)
    }
    return work
  }

  /**
   * Notifies the guest of a machine, at the server that drives it, of the machine's creation or
   * change.
   */
  async function touch(state: MachineState, made = false): Promise<void> {
    const { id, spec } = state
    if (!leases.held(spec.sled.id)) return rows.hand(id, spec.sled.id)
    const guest = await load(id, made ? state : undefined)
    if (!guest) return
    await serialize(guest, async () => (await adopt(guest, state)) && pass(guest))
  }

  /** Hands a machine that has moved over to the server that drives its new sled. */
  async function moved(state: MachineState, from: string): Promise<void> {
    const { id } = state
    if (!leases.held(from)) await rows.hand(id, from)
    const guest = guests.get(id)
    if (guest && !leases.held(state.spec.sled.id)) {
      await serialize(guest, async () => drop(guest))
    }
    await touch(state)
  }

  /** Reloads the row of a machine driven here, because another server may have changed it. */
  async function look(id: string): Promise<void> {
    const known = guests.get(id)
    const guest = known ?? (await load(id))
    if (!guest) return
    await serialize(guest, async () => (!known || (await reload(guest))) && pass(guest))
  }

  /**
   * Handles keys from a console here or at another server.
   * @param isOver whether the viewer has left; without it, the keys have waited already
   */
  async function type(id: string, keys: Uint8Array, isOver?: () => boolean): Promise<void> {
    let guest = guests.get(id)
    while (!guest) {
      const machine = await rows.bootOf(id)
      if (!machine) return
      if (leases.held(machine.sled_id)) {
        guest = await load(id)
        if (!guest) return
      } else if (!isOver || (await rows.handed(id)) < MAX_HANDED) {
        return rows.hand(id, machine.sled_id, keys)
      } else {
        await new Promise((resolve) => setTimeout(resolve, SHARED_BUSY_MS))
        if (closed || isOver()) return
        guest = guests.get(id)
      }
    }
    guest.type(keys)
    await passSerially(guest)
  }

  /** Reads new output of a console whose machine is driven by another server. */
  const follow = async (console: Console): Promise<boolean> => {
    const { id } = console
    const machine = await rows.bootOf(id)
    if (!machine) {
      forget(id)
      return false
    }
    if (leases.held(machine.sled_id)) {
      await look(id)
      return false
    }
    if (machine.boot !== console.boot) console.reset(machine.boot)
    const end = await rows.outputEnd(id, console.boot)
    const grown = end > console.written
    if (grown) {
      const from = Math.max(console.written, end - KEPT_BYTES)
      const { data, endOffset } = await rows.output(id, console.boot, from, end)
      console.buffer.append(data, endOffset - data.length)
      console.show(endOffset)
    }
    if (isAtRest(machine)) {
      forget(id)
      return false
    }
    await rows.saveViewer(server, id, machine.sled_id, console.boot, console.furthest ?? 0)
    return grown
  }

  /**
   * Polls keys and output from other servers.
   * @returns whether there were any
   */
  const poll = async (): Promise<boolean> => {
    let active = false
    for (const console of consoles.values()) {
      if (!guests.has(console.id) && console.watched && (await follow(console))) active = true
    }
    const sleds = leases.all()
    if (sleds.length === 0) return active
    for (const { machine_id, boot, offset } of await rows.viewers(sleds)) {
      const guest = await load(machine_id)
      guest?.remoteViewers(boot, offset)
    }
    for (const { id, keys } of await rows.takeInput(sleds)) {
      active = true
      if (keys.length > 0) await type(id, keys)
      else await look(id)
    }
    return active
  }
  const pollOn = () => {
    polling = poll()
      .catch((error) => {
        log('polling for data from other servers failed', error)
        return false
      })
      .then((active) => {
        if (!closed) poller = setTimeout(pollOn, active ? SHARED_BUSY_MS : SHARED_MS)
      })
  }

  return {
    touch,
    moved,
    forget,
    /** Whether this server drives the machine at present. */
    drives: ({ spec }: MachineState): boolean => leases.held(spec.sled.id) !== undefined,

    async start() {
      await leases.start()
      if (shared) pollOn()
    },
    async close() {
      closed = true
      clearInterval(ticker)
      clearInterval(runner)
      clearTimeout(poller)
      await polling
      for (const guest of guests.values()) await write(guest)
      for (const console of consoles.values()) console.disconnect(CLOSING)
      await leases.stop()
    },

    open(id: string, start: ConsoleStart, viewer: ConsoleViewer): ConsoleLine {
      let left = false
      let watching: ReturnType<Console['watch']> | undefined
      const typed: Uint8Array[] = []
      /** Accumulated keys are typed together, because each call costs a write. */
      const typeAll = async () => {
        for (;;) {
          await yieldToEventLoop()
          if (left) return
          const keys = firstOf(typed)
          if (keys.length > 0) await type(id, keys, () => left)
          if (typed.length === 0) return
        }
      }
      /** Actions at a console run sequentially. */
      let turn = (async () => {
        await yieldToEventLoop()
        const machine = await rows.bootOf(id)
        if (!machine || isAtRest(machine)) return viewer.close(1011, GONE)
        if (leases.held(machine.sled_id)) await load(id)
        let console = consoles.get(id)
        if (!console) {
          console = consoleOf(id, machine.boot)
          await restore(console, machine.boot)
        }
        if (closed) return viewer.close(1011, CLOSING)
        if (!left) watching = console.watch(start, viewer)
        const guest = guests.get(id)
        if (guest) await passSerially(guest)
      })().catch((error) => {
        log('opening a console failed', error)
        viewer.close(1011)
      })
      return {
        type(keys) {
          typed.push(keys)
          if (typed.length === 1) {
            turn = turn.then(typeAll).catch((error) => log('typing at a console failed', error))
          }
          return turn
        },
        drained: () => watching?.drained(),
        leave() {
          left = true
          watching?.leave()
          const console = consoles.get(id)
          if (console?.watched) return
          const guest = guests.get(id)
          if (guest) rest(guest)
          else {
            consoles.delete(id)
            if (shared) {
              rows.removeViewer(server, id).catch((error) => log('leaving a console failed', error))
            }
          }
        },
      }
    },
  }
}
