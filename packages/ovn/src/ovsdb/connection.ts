/** A connection to an OVSDB server: JSON-RPC 1.0 over a socket (RFC 7047, section 4). */
import { JSONParser } from '@streamparser/json'
import { openSocket, type Remote, remoteName } from './remote.ts'
import type { OvsdbRow, OvsdbValue } from './values.ts'

/** Milliseconds without a byte after which the server is asked whether it is there. */
const QUIET_MS = 5_000

export interface ConnectionLimits {
  /** Milliseconds for the connection. */
  connectMs: number
  /** Milliseconds for any answer. */
  answerMs: number
  /** Bytes of one message. A database with 50,000 rows has some 30 MB. */
  messageMax: number
}

const usualLimits: ConnectionLimits = {
  connectMs: 30_000,
  answerMs: 30_000,
  messageMax: 256 * 2 ** 20,
}

/** The server could not be reached, or the connection broke off. */
export class Disconnected extends Error {
  override name = 'Disconnected'
}

/** The server has refused a call or a transaction, which had no effect. */
export class Refused extends Error {
  override name = 'Refused'
  /** The word of the protocol, for example `timed out` of an operation `wait`. */
  readonly error: string

  constructor(error: string, details?: string) {
    super(details ? `${error}: ${details}` : error)
    this.error = error
  }
}

export interface OvsdbOperation {
  op: 'insert' | 'update' | 'mutate' | 'delete' | 'wait' | 'select' | 'comment'
  table?: string
  where?: readonly (readonly [string, string, OvsdbValue])[]
  row?: OvsdbRow
  rows?: readonly OvsdbRow[]
  mutations?: readonly (readonly [string, string, OvsdbValue])[]
  columns?: readonly string[]
  until?: '==' | '!='
  timeout?: number
  comment?: string
  'uuid-name'?: string
}

interface OperationResult {
  error?: string
  details?: string
  count?: number
  uuid?: readonly ['uuid', string]
  rows?: OvsdbRow[]
}

interface Message {
  id: string | number | null
  method?: string
  params?: unknown[]
  result?: unknown
  error?: unknown
}

interface Waiting {
  resolve: (result: unknown) => void
  reject: (error: Error) => void
  late: NodeJS.Timeout
}

interface ConnectionOptions {
  remote: Remote
  /** Rises with each attempt, so that all members of a cluster are asked. */
  attempt?: number
  /** Called with each notification, in order. */
  onNotification?: (method: string, params: unknown[]) => void
  /** Called once, when the connection has ended. */
  onEnd?: (why: Disconnected) => void
  signal?: AbortSignal
  limits?: ConnectionLimits
}

export interface Connection {
  call: (method: string, ...params: unknown[]) => Promise<unknown>
  /**
   * Runs operations in one transaction.
   * @throws Refused if the server refuses it; then nothing has changed
   * @throws Disconnected if it is not known whether it was committed
   */
  transact: (database: string, operations: readonly OvsdbOperation[]) => Promise<OperationResult[]>
  close: () => void
}

function refusalOf(error: unknown): Refused {
  if (typeof error === 'object' && error !== null && 'error' in error) {
    const { error: word, details } = error as { error: unknown; details?: unknown }
    return new Refused(String(word), details === undefined ? undefined : String(details))
  }
  return new Refused(typeof error === 'string' ? error : JSON.stringify(error))
}

/** @throws Disconnected if there is no server */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const { remote, attempt = 0, onNotification, onEnd, signal } = options
  const name = remoteName(remote, attempt)
  const { connectMs, answerMs, messageMax } = options.limits ?? usualLimits
  const waiting = new Map<number, Waiting>()
  const { promise, resolve, reject } = Promise.withResolvers<Connection>()
  const { socket, connected } = await openSocket(remote, attempt).catch((error: Error) => {
    throw new Disconnected(`${name}: ${error.message}`)
  })
  let calls = 0
  let bytes = 0
  let ended: Disconnected | undefined

  const end = (reason: string) => {
    if (ended) return
    ended = new Disconnected(`${name}: ${reason}`)
    socket.destroy()
    clearTimeout(connecting)
    clearInterval(asking)
    signal?.removeEventListener('abort', aborted)
    for (const { reject: fail, late } of waiting.values()) {
      clearTimeout(late)
      fail(ended)
    }
    waiting.clear()
    reject(ended)
    onEnd?.(ended)
  }
  const aborted = () => end('closed')
  const connecting = setTimeout(() => end('no connection in time'), connectMs)

  const write = (message: object) => {
    socket.write(JSON.stringify(message))
    // A server that reads nothing must not fill the memory.
    if (socket.writableLength > messageMax) end('the server reads nothing')
  }
  const call = (method: string, ...params: unknown[]): Promise<unknown> => {
    if (ended) return Promise.reject(ended)
    const id = ++calls
    const answer = Promise.withResolvers<unknown>()
    const late = setTimeout(() => end(`no answer to ${method} in time`), answerMs)
    waiting.set(id, { ...answer, late })
    write({ method, params, id })
    return answer.promise
  }

  const receive = ({ id, method, params, result, error }: Message) => {
    if (method === 'echo') return write({ id, result: params, error: null })
    if (method !== undefined) return onNotification?.(method, params ?? [])
    const asked = waiting.get(Number(id))
    if (!asked) return
    waiting.delete(Number(id))
    clearTimeout(asked.late)
    if (error === null || error === undefined) asked.resolve(result)
    else asked.reject(refusalOf(error))
  }

  // Messages follow each other without separators.
  const parser = new JSONParser({ paths: ['$'], separator: '', keepStack: false })
  parser.onValue = ({ value }) => {
    bytes = 0
    receive(value as unknown as Message)
  }
  parser.onError = () => end('the server sent something other than JSON')

  let heard = performance.now()
  const asking = setInterval(() => {
    if (performance.now() - heard > QUIET_MS && waiting.size === 0)
      void call('echo').catch(() => {})
  }, QUIET_MS)
  asking.unref()

  socket.on('data', (chunk) => {
    heard = performance.now()
    bytes += chunk.length
    if (bytes > messageMax) return end('the server sent too long a message')
    parser.write(chunk)
  })
  socket.on('error', ({ message }) => end(message))
  socket.on('close', () => end('the connection has ended'))
  socket.on(connected, () => {
    clearTimeout(connecting)
    resolve({
      call,
      async transact(database, operations) {
        const results = (await call(
          'transact',
          database,
          ...operations,
        )) as (OperationResult | null)[]
        const failed = results.find((one) => one?.error !== undefined)
        if (failed) throw new Refused(failed.error!, failed.details)
        return results as OperationResult[]
      },
      close: () => end('closed'),
    })
  })
  signal?.addEventListener('abort', aborted, { once: true })
  if (signal?.aborted) aborted()
  return promise
}
