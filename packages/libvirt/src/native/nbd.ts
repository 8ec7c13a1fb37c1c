/** NBD, the protocol of `qemu-nbd`, by libnbd. */
import { setTimeout as pause } from 'node:timers/promises'
import type { LibraryHandle } from 'koffi'
import { loadKoffi } from './koffi.ts'

type KoffiFunction = ReturnType<LibraryHandle['func']>

/** The packages that a host needs for this module, in a sentence for operators. */
const MISSING = 'disks cannot be read or written: libnbd is missing (Debian package libnbd0)'

/** Commands that the server has not answered yet, per connection. */
const MAX_IN_FLIGHT = 16
/** Bytes of a command; QEMU takes up to 32 MiB. An answer should fit into the buffer of a socket. */
const commandMax = { read: 256 * 1024, write: 8 * 1024 * 1024 } as const

/** The flag of a command that is answered when its bytes are durable. */
const FORCE_UNIT_ACCESS = 1

/** Longest time in which answers are received without a thread. Milliseconds. */
const DRAIN_MS = 4

/**
 * Connections that wait on a thread at the same time. The threads are libuv's four, which hashes of
 * passwords and files need as well.
 */
const THREADS_MAX = 2
/** Longest wait on a thread. Milliseconds. */
const THREAD_MS = 100
/** Interval at which a server that was silent for so long is looked at without a thread. Milliseconds. */
const LOOK_MS = 10

/** How long a server may be silent. Milliseconds. */
export const nbdLimits = {
  /** From the start of a connection until the server takes commands. */
  connect: 10_000,
  /** From a command to its answer. */
  answer: 60_000,
}
export type NbdLimits = Readonly<typeof nbdLimits>

/** The connection to an NBD server was lost, or could not be made. */
export class NbdConnectionError extends Error {}

const hungUp = () => new NbdConnectionError('the program that reads and writes the disk has ended')

/** An NBD server did not answer in time, so its connection was ended. */
export class LateNbdError extends NbdConnectionError {
  constructor() {
    super('the program that reads and writes the disk did not answer in time')
  }
}

/** An NBD server could not carry out a command. */
export class NbdError extends Error {
  /** As in C: 28 if there is no space, 5 if the disk could not be read. */
  readonly errno: number

  constructor(message: string, errno: number) {
    super(message)
    this.errno = errno
  }
}

interface Library {
  create: KoffiFunction
  close: KoffiFunction
  connect: KoffiFunction
  size: KoffiFunction
  read: KoffiFunction
  write: KoffiFunction
  poll: KoffiFunction
  isConnecting: KoffiFunction
  isReady: KoffiFunction
  completed: KoffiFunction
  isDead: KoffiFunction
  isClosed: KoffiFunction
  error: KoffiFunction
  errno: KoffiFunction
}

let library: Promise<Library> | undefined

async function loadLibrary(): Promise<Library> {
  const koffi = await loadKoffi()
  let lib
  try {
    lib = koffi.load('libnbd.so.0')
  } catch (cause) {
    throw new Error(MISSING, { cause })
  }
  const completion = koffi.struct({ callback: 'void *', user_data: 'void *', free: 'void *' })
  return {
    create: lib.func('nbd_create', 'void *', []),
    close: lib.func('nbd_close', 'void', ['void *']),
    connect: lib.func('nbd_aio_connect_unix', 'int', ['void *', 'str']),
    size: lib.func('nbd_get_size', 'int64', ['void *']),
    read: lib.func('nbd_aio_pread', 'int64', [
      'void *',
      'void *',
      'size_t',
      'uint64',
      completion,
      'uint32',
    ]),
    write: lib.func('nbd_aio_pwrite', 'int64', [
      'void *',
      'void *',
      'size_t',
      'uint64',
      completion,
      'uint32',
    ]),
    poll: lib.func('nbd_poll', 'int', ['void *', 'int']),
    completed: lib.func('nbd_aio_command_completed', 'int', ['void *', 'uint64']),
    isConnecting: lib.func('nbd_aio_is_connecting', 'int', ['void *']),
    isReady: lib.func('nbd_aio_is_ready', 'int', ['void *']),
    isDead: lib.func('nbd_aio_is_dead', 'int', ['void *']),
    isClosed: lib.func('nbd_aio_is_closed', 'int', ['void *']),
    error: lib.func('nbd_get_error', 'str', []),
    errno: lib.func('nbd_get_errno', 'int', []),
  }
}

/**
 * Loads libnbd, once.
 * @throws Error with a sentence for operators if it is missing
 */
export const loadNbd = (): Promise<unknown> => (library ??= loadLibrary())

const noCallback = { callback: null, user_data: null, free: null }

let threads = 0
const waitingForThread: (() => void)[] = []

/**
 * Waits on a thread for a message of a server.
 * @returns 1 for a message, 0 for none in `THREAD_MS`, -1 for an end of the connection
 */
async function pollOnThread({ poll }: Library, handle: unknown): Promise<number> {
  // A thread that becomes free passes to the first caller that waits.
  if (threads < THREADS_MAX) threads++
  else await new Promise<void>((resolve) => waitingForThread.push(resolve))
  try {
    return await new Promise((resolve, reject) => {
      poll.async(handle, THREAD_MS, (error: Error | null, result: number) =>
        error ? reject(error) : resolve(result),
      )
    })
  } finally {
    const next = waitingForThread.shift()
    if (next) next()
    else threads--
  }
}

/**
 * Waits for messages of one server: at first on a thread, which ends with the message, and after
 * that, while the server is silent, by looking from time to time.
 */
function messagesOf(lib: Library, handle: unknown): () => Promise<number> {
  let isSilent = false
  return async () => {
    let polled: number
    if (isSilent) {
      await pause(LOOK_MS)
      polled = lib.poll(handle, 0)
    } else polled = await pollOnThread(lib, handle)
    isSilent = polled === 0
    return polled
  }
}

interface Command {
  /** Sends the command. @returns its cookie, or -1 */
  send: () => number
  done: () => void
  failed: (error: Error) => void
  /** When it is late, by a monotonic clock; set when it is sent. */
  late: number
}

/**
 * A connection to an NBD server. Calls may run side by side: commands are sent without waiting for
 * the answers to earlier ones. The only calls of libnbd that wait run on a thread, so the event loop
 * never does; each wait has a limit.
 */
export class NbdConnection {
  /** In bytes. */
  readonly size: number
  readonly #lib: Library
  readonly #handle: unknown
  readonly #limits: NbdLimits
  readonly #nextMessage: () => Promise<number>
  #waiting: Command[] = []
  readonly #inFlight = new Map<number, Command>()
  #pumping: Promise<void> | undefined
  #isClosed = false
  #isFreed = false

  private constructor(lib: Library, handle: unknown, limits: NbdLimits) {
    this.#lib = lib
    this.#handle = handle
    this.#limits = limits
    this.#nextMessage = messagesOf(lib, handle)
    this.size = Number(lib.size(handle))
  }

  /**
   * Connects to the server at a Unix socket.
   * @throws NbdConnectionError if there is none, or if it ends before it answers
   * @throws LateNbdError
   */
  static async connect(path: string, limits: NbdLimits = nbdLimits): Promise<NbdConnection> {
    const lib = await (library ??= loadLibrary())
    const handle: unknown = lib.create()
    const late = performance.now() + limits.connect
    try {
      if (lib.connect(handle, path) === -1) throw new NbdConnectionError(String(lib.error()))
      const nextMessage = messagesOf(lib, handle)
      while (lib.isConnecting(handle) === 1) {
        if (performance.now() > late) throw new LateNbdError()
        // libnbd may stay in the state of a connection that ends early.
        if ((await nextMessage()) === -1) throw hungUp()
      }
      // Errors of libnbd belong to the thread of the call, so their text may not be read here.
      if (lib.isReady(handle) !== 1) throw new NbdConnectionError('the NBD server does not answer')
      return new NbdConnection(lib, handle, limits)
    } catch (error) {
      lib.close(handle)
      throw error
    }
  }

  /** Whether the server has gone. */
  get isLost(): boolean {
    return (
      this.#isClosed ||
      this.#lib.isDead(this.#handle) === 1 ||
      this.#lib.isClosed(this.#handle) === 1
    )
  }

  /**
   * Reads bytes.
   * @throws NbdError if the server cannot read them
   * @throws NbdConnectionError
   */
  async read(offset: number, length: number): Promise<Uint8Array> {
    // Memory that does not move while libnbd fills it, unlike that of small arrays.
    const data = Buffer.allocUnsafeSlow(length)
    await this.#transfer('read', data, offset)
    return data
  }

  /**
   * Writes bytes durably, by one command; a flush after a write would be another wait. QEMU flushes
   * once for all commands in flight.
   * @throws NbdError if the server cannot write them
   * @throws NbdConnectionError
   */
  async write(offset: number, data: Uint8Array): Promise<void> {
    // Asking for the buffer of a small array makes it stay in its place.
    await this.#transfer('write', Buffer.from(data.buffer, data.byteOffset, data.length), offset)
  }

  /** Ends the connection after the commands in progress. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#pumping
    this.#free()
  }

  #free(): void {
    if (this.#isFreed) return
    this.#isFreed = true
    this.#lib.close(this.#handle)
  }

  async #transfer(kind: 'read' | 'write', data: Buffer, offset: number): Promise<void> {
    const pieces: Promise<void>[] = []
    const most = commandMax[kind]
    const flags = kind === 'write' ? FORCE_UNIT_ACCESS : 0
    for (let at = 0; at < data.length; at += most) {
      const piece = data.subarray(at, at + most)
      pieces.push(
        this.#command(() =>
          Number(
            this.#lib[kind](this.#handle, piece, piece.length, offset + at, noCallback, flags),
          ),
        ),
      )
    }
    // All of them, because libnbd uses the memory until the last one ends.
    const failure = (await Promise.allSettled(pieces)).find(({ status }) => status === 'rejected')
    if (failure) throw (failure as PromiseRejectedResult).reason
  }

  #command(send: () => number): Promise<void> {
    if (this.#isClosed) return Promise.reject(new NbdConnectionError('the connection is closed'))
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ send, done: resolve, failed: reject, late: Infinity })
    this.#pumping ??= this.#pump()
    return promise
  }

  /** Ends the connection and all commands; nothing uses their memory any more. */
  #end(error: Error): void {
    this.#isClosed = true
    this.#free()
    for (const command of [...this.#inFlight.values(), ...this.#waiting]) command.failed(error)
    this.#inFlight.clear()
    this.#waiting = []
  }

  /** The last error of a call on this thread. */
  #error(): Error {
    const message = String(this.#lib.error())
    if (this.isLost) return new NbdConnectionError(message)
    return new NbdError(message, Number(this.#lib.errno()))
  }

  /**
   * Sends the waiting commands and waits for answers until there are none left. While a thread
   * waits it holds the lock of the handle, so commands that come meanwhile are sent after the wait.
   */
  async #pump(): Promise<void> {
    // A turn of its own, so that calls of one turn are sent together.
    await Promise.resolve()
    while (this.#waiting.length > 0 || this.#inFlight.size > 0) {
      while (this.#waiting.length > 0 && this.#inFlight.size < MAX_IN_FLIGHT) {
        const command = this.#waiting.shift()!
        const cookie = command.send()
        if (cookie === -1) command.failed(this.#error())
        else {
          command.late = performance.now() + this.#limits.answer
          this.#inFlight.set(cookie, command)
        }
      }
      if (this.#inFlight.size === 0) continue
      let polled = await this.#nextMessage()
      // A thread for each part of an answer would take longer than the part.
      const end = performance.now() + DRAIN_MS
      while (polled === 1 && performance.now() < end) polled = this.#lib.poll(this.#handle, 0)
      for (const [cookie, command] of this.#inFlight) {
        const state: number = this.#lib.completed(this.#handle, cookie)
        if (state === 0) continue
        this.#inFlight.delete(cookie)
        if (state === 1) command.done()
        else command.failed(polled === -1 ? hungUp() : this.#error())
      }
      if (polled === -1) this.#end(hungUp())
      const [oldest] = this.#inFlight.values()
      if (oldest && performance.now() > oldest.late) this.#end(new LateNbdError())
    }
    // In the same turn as the last look, so that no later command is overlooked.
    this.#pumping = undefined
  }
}
