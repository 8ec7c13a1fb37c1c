/**
 * Serial consoles: the output comes from the log that libvirt keeps, keys go to the socket of the
 * machine.
 */
import { type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { bootName, Console, fail, KEPT_BYTES } from '@steading/control-plane/engine'
import { type Consoles, type Log, UnusablePoolError } from '@steading/control-plane/ports'
import { type ConsoleLog, readBytes, readLog } from './console-log.ts'
import type { HostSet } from './hosts/host-set.ts'
import type { Keyboard } from './keyboard.ts'
import type { MachineRow, Rows } from './rows.ts'
import { isAtRest } from './state.ts'

/** Interval at which the output of a watched console is read if no change of its file is reported. */
const LOOK_MS = 500
/** The same where changes are never reported: the log is in a directory of several hosts. */
const SHARED_LOOK_MS = 150
/** The log of an ended machine is complete when it has not grown for this time. Milliseconds. */
const SETTLED_MS = 150

/** Why a console is closed. */
const GONE = 'the machine is not running'
const ELSEWHERE = 'the machine runs on another host'
const CLOSING = 'the server is stopping'

export interface MachineConsoles extends Consoles {
  /**
   * Begins a boot: one that was requested, or else only if there was output since the last one
   * began.
   */
  booted: (machineId: string, requested: boolean) => Promise<void>
  /** Waits until all output of a machine that has ended is in the log. */
  settle: (machineId: string) => Promise<void>
  /** Shows viewers the rest of the output, and closes them. */
  ended: (machineId: string) => Promise<void>
  close: () => Promise<void>
}

/** A console with viewers at this server. */
interface Watched {
  console: Console
  row: MachineRow
  /** Undefined where changes are not reported. */
  watcher: FSWatcher | undefined
  timer: ReturnType<typeof setInterval>
  /** The reading of output, one after the other. */
  turn: Promise<void>
  /** Which readings already wait. */
  waiting: Set<(its: Watched) => Promise<void>>
}

export function createConsoles(
  rows: Rows,
  hosts: Pick<HostSet, 'has' | 'of' | 'filesOf'>,
  log: Log,
): MachineConsoles {
  const watched = new Map<string, Watched>()
  const keyboards = new Map<string, Keyboard>()
  let closed = false

  /** Looks at the log, and keeps the place of its present file. */
  const look = async (row: MachineRow): Promise<ConsoleLog> => {
    const files = await hosts.filesOf(row.host)
    const known = { file: row.log_file, start: row.log_start }
    const found = await readLog(files.of(row.id).log, known, files.calls)
    if (found.place.file !== row.log_file) {
      const { file, start } = found.place
      Object.assign(row, { log_file: file, log_start: start })
      await rows.change(row.id, () => ({ log_file: file, log_start: start }))
    }
    return found
  }

  /** Says of a directory of several hosts that does not answer that it is not there now. */
  const answered = async <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((error: unknown) => {
      if (error instanceof UnusablePoolError) throw fail.unavailable(error.message)
      throw error
    })

  const bytesOf = async (row: MachineRow, log: ConsoleLog, from: number, to?: number) =>
    readBytes(log, from, to, (await hosts.filesOf(row.host)).calls)

  /** Reads what has been added to the log since the console was last shown. */
  const pull = async (its: Watched): Promise<void> => {
    const { console, row } = its
    const found = await look(row)
    const from = row.boot_offset + console.buffer.length
    if (found.end <= from) return
    const { data, offset } = await bytesOf(row, found, Math.max(from, found.end - KEPT_BYTES))
    if (data.length === 0) return
    console.buffer.append(data, offset - row.boot_offset)
    console.show(console.buffer.length)
  }
  const serialize = (its: Watched, work: () => Promise<void>): Promise<void> => {
    its.turn = its.turn
      .then(work)
      .catch((error: unknown) => log('reading the output of a console failed', error))
    return its.turn
  }
  /** Notices what other servers have changed: a boot, or the end of the machine. */
  const refresh = async (its: Watched): Promise<void> => {
    const row = await rows.load(its.row.id)
    if (!row || isAtRest(row)) return disconnect(its.row.id, GONE)
    if (row.boot !== its.console.boot) {
      its.row = row
      its.console.reset(row.boot)
    }
    await pull(its)
  }

  /** Reads later, unless that waits already. */
  const soon = (its: Watched, work: typeof pull): void => {
    if (its.waiting.has(work)) return
    its.waiting.add(work)
    void serialize(its, async () => {
      its.waiting.delete(work)
      await work(its)
    })
  }

  const unwatch = (id: string): void => {
    const its = watched.get(id)
    if (!its) return
    watched.delete(id)
    its.watcher?.close()
    clearInterval(its.timer)
  }
  const disconnect = (id: string, reason: string): void => {
    watched.get(id)?.console.disconnect(reason)
    unwatch(id)
    keyboards.get(id)?.close()
  }

  const watchConsole = async (row: MachineRow): Promise<Watched> => {
    const { id } = row
    const files = await hosts.filesOf(row.host)
    const known = watched.get(id)
    if (known) return known
    const its: Watched = {
      console: new Console(id, row.boot),
      row,
      watcher: files.areReported
        ? watch(dirname(files.of(id).log), () => soon(its, pull))
        : undefined,
      timer: setInterval(() => soon(its, refresh), files.areReported ? LOOK_MS : SHARED_LOOK_MS),
      turn: Promise.resolve(),
      waiting: new Set(),
    }
    its.watcher?.on('error', (error) => log('watching the log of a console failed', error))
    watched.set(id, its)
    return its
  }

  const type = async (id: string, keys: Uint8Array): Promise<void> => {
    let keyboard = keyboards.get(id)
    if (!keyboard) {
      const row = await rows.load(id)
      if (!row || !hosts.has(row.host) || isAtRest(row)) return
      const host = await hosts.of(row.host)
      keyboard = keyboards.get(id)
      if (!keyboard) {
        const made = host.openKeyboard(id, (error) => {
          if (keyboards.get(id) === made) keyboards.delete(id)
          if (error && !closed) log('typing at a console failed', error)
        })
        keyboards.set(id, (keyboard = made))
      }
    }
    return keyboard.type(keys)
  }

  return {
    async read(id, from, maxBytes = Number.POSITIVE_INFINITY) {
      const row = await rows.load(id)
      if (!row || row.wanted === 'destroy') {
        return { boot: '', data: new Uint8Array(), endOffset: 0 }
      }
      const boot = bootName(id, row.boot)
      const found = await answered(look(row))
      const first = Math.min(
        found.end,
        Math.max(row.boot_offset + from, row.boot_offset, found.end - KEPT_BYTES),
      )
      const { data, offset } = await answered(bytesOf(row, found, first, first + maxBytes))
      const endOffset = offset + data.length - row.boot_offset
      return { boot, data: Uint8Array.from(data), endOffset }
    },
    async length(id) {
      const row = await rows.load(id)
      if (!row || row.wanted === 'destroy') return 0
      return (await answered(look(row))).end - row.boot_offset
    },
    open(id, start, viewer) {
      let left = false
      let watching: ReturnType<Console['watch']> | undefined
      /** Actions at a console run one after the other. */
      let turn = (async () => {
        const row = await rows.load(id)
        if (!row || isAtRest(row) || row.wanted === 'destroy') return viewer.close(1011, GONE)
        if (!hosts.has(row.host)) return viewer.close(1011, ELSEWHERE)
        const its = await watchConsole(row)
        await serialize(its, () => pull(its))
        if (!left && !closed) {
          watching = its.console.watch(start, viewer)
          return
        }
        // The viewer left, or the server closed, before there was anything to leave or to close.
        if (!its.console.watched) unwatch(id)
        if (closed) viewer.close(1011, CLOSING)
      })().catch((error: unknown) => {
        log('opening a console failed', error)
        viewer.close(1011)
      })
      return {
        type(keys) {
          turn = turn
            .then(() => (left ? undefined : type(id, keys)))
            .catch((error: unknown) => log('typing at a console failed', error))
          return turn
        },
        drained: () => watching?.drained(),
        leave() {
          left = true
          watching?.leave()
          if (watched.get(id)?.console.watched !== false) return
          unwatch(id)
          keyboards.get(id)?.close()
        },
      }
    },

    async booted(id, requested) {
      const row = await rows.load(id)
      if (!row || isAtRest(row)) return
      const { end } = await look(row)
      // The first boot is reported as well, and firmware resets the machine once more.
      if (end <= row.boot_offset && !requested) return
      const changed = await rows.change(id, (present) =>
        present.boot === row.boot ? { boot: row.boot + 1, boot_offset: end } : undefined,
      )
      const its = watched.get(id)
      if (!its || !changed) return
      await serialize(its, async () => {
        its.row = changed
        its.console.reset(changed.boot)
        await pull(its)
      })
    },
    async settle(id) {
      const row = await rows.load(id)
      if (!row) return
      let { end } = await look(row)
      for (;;) {
        await wait(SETTLED_MS)
        const now = await look(row)
        if (now.end === end) return
        end = now.end
      }
    },
    async ended(id) {
      const its = watched.get(id)
      if (its) await serialize(its, () => pull(its))
      disconnect(id, GONE)
    },
    async close() {
      closed = true
      for (const id of watched.keys()) disconnect(id, CLOSING)
      for (const keyboard of keyboards.values()) keyboard.close()
    },
  }
}
