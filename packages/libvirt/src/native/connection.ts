/** A connection to libvirt's daemon, which is opened on demand and again after it was lost. */
import { LibvirtError } from './errors.ts'
import type { Library, LocalName, Pointer, RemoteName } from './library.ts'

/**
 * A connection that is not used for this long is closed, because the daemon asks each one every few
 * seconds whether it is alive. A guest that ends with its connection lasts for less. Milliseconds.
 */
const IDLE_MS = 20_000

/**
 * A connection to another machine ends when so many questions at this interval get no answer: after
 * 15 seconds. Otherwise a call waits for a host that was cut off until its own limit.
 */
const KEEP_ALIVE = { seconds: 5, count: 2 }
const isRemote = (uri: string): boolean => /^qemu\+(?:ssh|tls):/.test(uri)

type Arguments = Parameters<Library['remote']> extends [RemoteName, ...infer Rest] ? Rest : never

/** Calls on an open connection; each throws LibvirtError if it fails. */
export interface Calls {
  connection: Pointer
  /** A call whose result is a pointer or a text; NULL is a failure. */
  pointer: <T = bigint>(name: RemoteName, ...args: Arguments) => Promise<T>
  /** A call whose result is a number; a negative one is a failure. */
  number: (name: RemoteName, ...args: Arguments) => Promise<number>
  local: <T>(name: LocalName, ...args: Arguments) => T
}

export interface Connection {
  /**
   * Runs calls on the connection, after all earlier ones.
   * @throws LibvirtError
   */
  run: <T>(work: (calls: Calls) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

interface NativeError {
  code: number
  message: string | null
}

/**
 * Opens a connection.
 * @throws LibvirtError
 */
async function open(library: Library, uri: string): Promise<bigint> {
  const { koffi, types, ignore } = library
  // The failure belongs to no connection, so its message is only known to the thread of the call.
  let failure: NativeError = { code: 0, message: null }
  const handler = koffi.register(
    (_: Pointer, error: Pointer) =>
      void (failure = koffi.decode(error, types.error) as NativeError),
    koffi.pointer(koffi.proto('void (void *, void *)')),
  )
  library.local('virSetErrorFunc', null, handler)
  const connection = await library.remote<Pointer>('virConnectOpen', uri)
  // Otherwise libvirt prints each error. Errors of a connection are read from it.
  library.local('virSetErrorFunc', null, ignore)
  koffi.unregister(handler)
  if (connection === null) {
    throw new LibvirtError(
      failure.message ?? `libvirt did not open a connection to ${uri}`,
      failure.code,
    )
  }
  if (isRemote(uri)) {
    const { seconds, count } = KEEP_ALIVE
    await library.remote('virConnectSetKeepAlive', connection, seconds, count)
  }
  return connection
}

/** Address → the opening of its last connection. */
const opening = new Map<string, Promise<unknown>>()

/**
 * Opens one connection to an address after the other: an SSH server drops those that begin while
 * many others have not signed in.
 */
function openInTurn(library: Library, uri: string): Promise<bigint> {
  const turn = (opening.get(uri) ?? Promise.resolve()).then(() => open(library, uri))
  opening.set(
    uri,
    turn.catch(() => {}),
  )
  return turn
}

/**
 * Several connections, so that a call that waits long for its machine holds up few others.
 * @param first one of them
 */
export function createConnections(
  library: Library,
  uri: string,
  count: number,
  first = createConnection(library, uri),
): Connection {
  const all = Array.from({ length: count }, (_, index) => ({
    connection: index === 0 ? first : createConnection(library, uri),
    calls: 0,
  }))
  return {
    async run(work) {
      const free = all.reduce((least, other) => (other.calls < least.calls ? other : least))
      free.calls++
      try {
        return await free.connection.run(work)
      } finally {
        free.calls--
      }
    },
    async close() {
      await Promise.all(all.map(({ connection }) => connection.close()))
    },
  }
}

/**
 * @param opened called with each new connection before anything else uses it; the function that it
 *   returns is called before that connection is closed. Such a connection stays open.
 */
export function createConnection(
  library: Library,
  uri: string,
  opened?: (connection: bigint) => Promise<() => Promise<void>>,
): Connection {
  let connection: bigint | undefined
  let beforeClose = async (): Promise<void> => {}
  /** Errors are kept for each connection, so only one call at a time runs on it. */
  let turn: Promise<unknown> = Promise.resolve()
  let closed = false
  let idle: ReturnType<typeof setTimeout> | undefined

  const lastError = (of: bigint): LibvirtError => {
    const error = library.local<Pointer>('virConnGetLastError', of)
    const { code, message } = (
      error === null ? { code: 0, message: null } : library.koffi.decode(error, library.types.error)
    ) as NativeError
    return new LibvirtError(message ?? 'libvirt gave no reason', code)
  }

  const drop = async (): Promise<void> => {
    if (connection === undefined) return
    const before = connection
    connection = undefined
    await beforeClose()
    await library.remote('virConnectClose', before)
  }

  const ready = async (): Promise<bigint> => {
    if (closed) throw new LibvirtError('The connection to libvirt is closed', 0)
    if (connection !== undefined) {
      if ((await library.remote<number>('virConnectIsAlive', connection)) === 1) return connection
      await drop()
    }
    const made = await openInTurn(library, uri)
    connection = made
    beforeClose = async () => {}
    if (opened) beforeClose = await opened(made)
    return made
  }

  const callsOn = (of: bigint): Calls => ({
    connection: of,
    async pointer<T>(name: RemoteName, ...args: Arguments) {
      const result = await library.remote<T | null>(name, ...args)
      if (result === null) throw lastError(of)
      return result
    },
    async number(name, ...args) {
      const result = await library.remote<number>(name, ...args)
      if (result < 0) throw lastError(of)
      return result
    },
    local: library.local,
  })

  const serialize = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  const leave = (): void => {
    clearTimeout(idle)
    if (!opened && !closed) idle = setTimeout(() => void serialize(drop).catch(() => {}), IDLE_MS)
  }

  return {
    run(work) {
      clearTimeout(idle)
      return serialize(async () => work(callsOn(await ready()))).finally(leave)
    },
    close() {
      closed = true
      clearTimeout(idle)
      return serialize(drop)
    },
  }
}
