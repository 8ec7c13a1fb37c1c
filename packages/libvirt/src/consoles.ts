/**
 * Serial consoles: the output comes from the log that libvirt keeps, keys go to the socket of the
 * machine.
 */
import { type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { bootName, Console, KEPT_BYTES } from '@steading/control-plane/engine'
import type { Consoles, Log } from '@steading/control-plane/ports'
import { type ConsoleLog, readBytes, readLog } from './console-log.ts'
import type { HostSet } from './hosts/host-set.ts'
import type { Keyboard } from './keyboard.ts'
import type { MachineRow, Rows } from './rows.ts'
import { isAtRest } from './state.ts'

/** Interval at which the output of a watched console is read if no change of its file is reported. */
const LOOK_MS = 500
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
  watcher: FSWatcher
  timer: ReturnType<typeof setInterval>
  /** The reading of output, one after the other. */
  turn: Promise<void>
  /** Whether a reading is already waiting. */
  due: boolean
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
    const found = await readLog((await hosts.filesOf(row.host)).of(row.id).log, {
      file: row.log_file,
      start: row.log_start,
    })
    if (found.place.file !== row.log_file) {
      const { file, start } = found.place
      Object.assign(row, { log_file: file, log_start: start })
      await rows.change(row.id, () => ({ log_file: file, log_start: start }))
    }
    return found
  }

  /** Reads what has been added to the log since the console was last shown. */
  const pull = async (its: Watched): Promise<void> => {
    its.due = false
    const { console, row } = its
    const found = await look(row)
    const from = row.boot_offset + console.buffer.length
    if (found.end <= from) return
    const { data, offset } = await readBytes(found, Math.max(from, found.end - KEPT_BYTES))
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
  const pullSoon = (its: Watched): void => {
    if (its.due) return
    its.due = true
    void serialize(its, () => pull(its))
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

  const unwatch = (id: string): void => {
    const its = watched.get(id)
    if (!its) return
    watched.delete(id)
    its.watcher.close()
    clearInterval(its.timer)
  }
  const disconnect = (id: string, reason: string): void => {
    watched.get(id)?.console.disconnect(reason)
    unwatch(id)
    keyboards.get(id)?.close()
  }

  const watchConsole = async (row: MachineRow): Promise<Watched> => {
    const { id } = row
    const path = (await hosts.filesOf(row.host)).of(id).log
    const known = watched.get(id)
    if (known) return known
    const its: Watched = {
      console: new Console(id, row.boot),
      row,
      watcher: watch(dirname(path), () => pullSoon(its)),
      timer: setInterval(() => void serialize(its, () => refresh(its)), LOOK_MS),
      turn: Promise.resolve(),
      due: false,
    }
    its.watcher.on('error', (error) => log('watching the log of a console failed', error))
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
      const found = await look(row)
      const first = Math.min(
        found.end,
        Math.max(row.boot_offset + from, row.boot_offset, found.end - KEPT_BYTES),
      )
      const { data, offset } = await readBytes(found, first, first + maxBytes)
      const endOffset = offset + data.length - row.boot_offset
      return { boot, data: Uint8Array.from(data), endOffset }
    },
    async length(id) {
      const row = await rows.load(id)
      if (!row || row.wanted === 'destroy') return 0
      return (await look(row)).end - row.boot_offset
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
