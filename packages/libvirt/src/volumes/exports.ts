/**
 * Layers that are open for reading and writing by byte range: a process of `qemu-nbd` for each. It
 * ends with its last connection, so it does not outlive the servers that use it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { errorCode, ifMissing } from '@steading/files'
import {
  LateNbdError,
  loadNbd,
  NbdConnection,
  NbdConnectionError,
  nbdLimits,
  type NbdLimits,
} from '../native/nbd.ts'
import { missingProgram, ProgramError, programEnvironment } from './run-program.ts'
import { mapExport, type MapExtent, meansInUse } from './qemu-img.ts'

/** Milliseconds after its last use at which a layer is closed. */
const IDLE_MS = 3_000
/** The same where another server may wait for it. */
const SHARED_IDLE_MS = 500
/** Open layers; with more, unused ones are closed early. */
const MAX_OPEN = 32
/** Connections of all servers to one process. */
const MAX_CONNECTIONS = 64
/** Milliseconds to wait for another process to close a layer. */
export const RELEASE_MS = 15_000
/** Milliseconds between two looks at something that wakes nobody. */
const LOOK_MS = 5
const LOCK_LOOK_MS = 50
const ERRORS_MAX = 4_000

/** Another process has the layer open, and has not closed it in time. */
export class LayerInUseError extends Error {}

interface OpenLayer {
  connection: NbdConnection
  /** Name of its socket. */
  socket: string
  /** When the process has ended, if this server has started it. */
  ended: Promise<void> | undefined
  /** Ends the process, if this server has started it. */
  kill: () => void
}

interface Entry {
  layerId: string
  /** Its key. */
  socket: string
  opening: Promise<OpenLayer>
  users: number
  /** Called when the last user has left. */
  left: (() => void)[]
  timer: ReturnType<typeof setTimeout> | undefined
}

/**
 * @param pathOf the file of a layer
 * @param socketDirectory where servers of this host find each other's processes
 * @param shared whether other servers use the same layers
 * @param limits how long processes may be silent
 */
export function createExports(
  pathOf: (layerId: string) => string,
  socketDirectory: string,
  { shared, limits = nbdLimits }: { shared: boolean; limits?: NbdLimits },
) {
  /** Socket → its layer. */
  const entries = new Map<string, Entry>()
  const closing = new Set<Promise<void>>()
  let directory: FileHandle | undefined
  let isClosed = true

  /** The path of a socket, short enough for one however long that of the directory is. */
  const socketPath = (name: string): string => `/proc/self/fd/${directory!.fd}/${name}`
  const socketOf = (layerId: string, writable: boolean): string =>
    `${layerId}.${writable ? 'write' : 'read'}`

  /** Connects to the process that another server may have started. */
  const joinProcess = (socket: string): Promise<OpenLayer | undefined> =>
    NbdConnection.connect(socketPath(socket), limits).then(
      (connection) => ({ connection, socket, ended: undefined, kill: () => {} }),
      (error: unknown) => {
        if (error instanceof NbdConnectionError) return undefined
        throw error
      },
    )

  /** Removes the socket of a process that has ended, unless another one has taken its name. */
  async function forget(socket: string, ino: number): Promise<void> {
    const path = join(socketDirectory, socket)
    const found = await stat(path).catch(ifMissing(undefined))
    if (found?.ino === ino) await rm(path, { force: true })
  }

  async function startProcess(
    layerId: string,
    writable: boolean,
    socket: string,
  ): Promise<OpenLayer> {
    // A socket of its own, because the process replaces one of the same name even if it then finds
    // the layer in use.
    const own = `${crypto.randomUUID()}.new`
    const child = spawn(
      'qemu-nbd',
      [
        '--format=qcow2',
        `--shared=${MAX_CONNECTIONS}`,
        '--discard=unmap',
        '--detect-zeroes=unmap',
        ...(writable ? [] : ['--read-only']),
        `--socket=/proc/self/cwd/${own}`,
        pathOf(layerId),
      ],
      { cwd: socketDirectory, env: programEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] },
    )
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-ERRORS_MAX)
    })
    let ended: Error | undefined
    child.once('error', (error) => (ended = error))
    child.once('close', (status, signal) => {
      const reason = errors.replaceAll(/\s+/g, ' ').trim() || `ended with ${signal ?? status}`
      ended ??= new ProgramError(`qemu-nbd: ${reason}`, { errors: reason })
    })
    try {
      const until = performance.now() + RELEASE_MS
      let joined = await joinProcess(own)
      // Its socket has a name for an instant before it takes connections.
      while (!joined) {
        if (ended) throw ended
        if (performance.now() > until) throw new LateNbdError()
        await pause(LOOK_MS)
        joined = await joinProcess(own)
      }
      const { ino } = await stat(socketPath(own))
      await rename(socketPath(own), socketPath(socket))
      const gone = ended ? Promise.resolve() : once(child, 'close')
      const kill = () => void child.kill('SIGKILL')
      return { ...joined, socket, ended: gone.then(() => forget(socket, ino)), kill }
    } catch (error) {
      // It has no client, so nothing is lost; and it overlooks other signals while it starts.
      child.kill('SIGKILL')
      await rm(socketPath(own), { force: true })
      if (error === ended && errorCode(error) === 'ENOENT') {
        throw new ProgramError(missingProgram('qemu-nbd'))
      }
      throw error
    }
  }

  /** Opens a layer, waiting for another process to close it. */
  async function openLayer(layerId: string, writable: boolean): Promise<OpenLayer> {
    const socket = socketOf(layerId, writable)
    const until = performance.now() + RELEASE_MS
    for (;;) {
      const joined = await joinProcess(socket)
      if (joined) return joined
      try {
        return await startProcess(layerId, writable, socket)
      } catch (error) {
        if (!meansInUse(error)) throw error
        if (performance.now() > until || isClosed) {
          throw new LayerInUseError(`layer ${layerId} is in use`, { cause: error })
        }
      }
      await pause(LOCK_LOOK_MS)
    }
  }

  const isOpen = (entry: Entry): boolean => entries.get(entry.socket) === entry

  async function shut({ opening }: Entry): Promise<void> {
    const layer = await opening.catch(() => undefined)
    if (!layer) return
    await layer.connection.close()
    // The file is in use until the process ends; it does so unless other servers use it as well.
    await Promise.race([layer.ended, pause(LOCK_LOOK_MS, undefined, { ref: false })])
  }
  /** Forgets a layer and closes it. */
  function drop(entry: Entry): Promise<void> {
    clearTimeout(entry.timer)
    if (isOpen(entry)) entries.delete(entry.socket)
    const shutting = shut(entry).finally(() => closing.delete(shutting))
    closing.add(shutting)
    return shutting
  }
  function makeRoom(): void {
    if (entries.size < MAX_OPEN) return
    for (const entry of entries.values()) {
      if (entry.users > 0) continue
      void drop(entry)
      return
    }
  }

  function enter(layerId: string, writable: boolean): Entry {
    const socket = socketOf(layerId, writable)
    let entry = entries.get(socket)
    if (!entry) {
      makeRoom()
      const opening = openLayer(layerId, writable)
      entry = { layerId, socket, opening, users: 0, left: [], timer: undefined }
    }
    // The most recently used one comes last.
    entries.delete(socket)
    entries.set(socket, entry)
    clearTimeout(entry.timer)
    entry.users++
    return entry
  }
  function leave(entry: Entry): void {
    entry.users--
    if (entry.users > 0) return
    for (const left of entry.left.splice(0)) left()
    if (!isOpen(entry)) return
    entry.timer = setTimeout(() => void drop(entry), shared ? SHARED_IDLE_MS : IDLE_MS)
    entry.timer.unref()
  }

  async function attempt<T>(
    layerId: string,
    writable: boolean,
    work: (layer: OpenLayer) => Promise<T>,
  ): Promise<T> {
    if (isClosed) throw new Error('the volumes are closed')
    const entry = enter(layerId, writable)
    try {
      return await work(await entry.opening)
    } catch (error) {
      const layer = await entry.opening.catch(() => undefined)
      // A process that does not answer would keep the layer in use.
      if (error instanceof LateNbdError) layer?.kill()
      if (!layer || layer.connection.isLost) void drop(entry)
      throw error
    } finally {
      leave(entry)
    }
  }

  /**
   * Does work with an open layer; once more if its process was killed, as all of it is repeatable,
   * but not after a wait of the full time.
   */
  const use = <T>(
    layerId: string,
    writable: boolean,
    work: (layer: OpenLayer) => Promise<T>,
  ): Promise<T> =>
    attempt(layerId, writable, work).catch((error: unknown) => {
      if (!(error instanceof NbdConnectionError) || error instanceof LateNbdError) throw error
      return attempt(layerId, writable, work)
    })

  return {
    /**
     * Prepares the sockets.
     * @throws Error with a sentence for operators if libnbd is missing
     */
    async open(): Promise<void> {
      await loadNbd()
      await mkdir(socketDirectory, { recursive: true, mode: 0o700 })
      directory = await open(socketDirectory, 'r')
      isClosed = false
      // A process that a crash left without its first connection ends after it.
      for (const name of await readdir(socketDirectory)) {
        const left = await joinProcess(name)
        await left?.connection.close()
        if (!left || name.endsWith('.new')) await rm(join(socketDirectory, name), { force: true })
      }
    },

    /**
     * Does work with a layer.
     * @param writable whether it may be written to; only one process can have such a layer open
     * @throws LayerInUseError
     * @throws NbdError
     * @throws LateNbdError
     */
    use: <T>(layerId: string, writable: boolean, work: (connection: NbdConnection) => Promise<T>) =>
      use(layerId, writable, ({ connection }) => work(connection)),

    /** The extents of a layer. */
    map: (layerId: string, writable: boolean): Promise<MapExtent[]> =>
      use(layerId, writable, ({ socket }) => mapExport(socket, socketDirectory)),

    /** Closes a layer once nothing uses it; the caller sees to it that no new work begins. */
    async release(layerId: string): Promise<void> {
      const open = [...entries.values()].filter((entry) => entry.layerId === layerId)
      await Promise.all(
        open.map(async (entry) => {
          if (entry.users > 0) await new Promise<void>((resolve) => entry.left.push(resolve))
          await drop(entry)
        }),
      )
      await Promise.all(closing)
    },

    /** Ends all work, and closes all layers. */
    async close(): Promise<void> {
      isClosed = true
      await Promise.all([...entries.values()].map(drop))
      await Promise.all(closing)
      await directory?.close()
      directory = undefined
    },
  }
}
export type Exports = ReturnType<typeof createExports>
