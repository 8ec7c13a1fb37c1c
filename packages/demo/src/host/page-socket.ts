import type { SocketHandler } from '@steading/control-plane'
import type { ControlPlaneCalls } from '../worker/protocol.ts'
import type { CookieJar } from './cookie-jar.ts'
import { delay, latency } from './delay.ts'
import { CLIENT_ADDRESS } from './page-fetch.ts'
import { toWire } from './page-request.ts'

const CONNECTING = 0
const OPEN = 1
const CLOSING = 2
const CLOSED = 3

const NORMAL = 1000
const NO_STATUS = 1005
const ABNORMAL = 1006

/** Maximum text of a close frame in bytes. */
const MAX_REASON = 123

const encoder = new TextEncoder()

type Data = string | ArrayBufferLike | Blob | ArrayBufferView

/** An immediate copy: the caller may overwrite data it has sent. */
function copyOf(data: ArrayBufferLike | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
    : new Uint8Array(data).slice()
}

const sizeOf = (data: Data): number =>
  typeof data === 'string'
    ? encoder.encode(data).length
    : data instanceof Blob
      ? data.size
      : data.byteLength

export interface PageSocketOptions {
  ready: Promise<ControlPlaneCalls>
  jar: CookieJar
  wait?: typeof delay
}

/** Events with an `on…` property. */
const eventTypes = ['open', 'message', 'error', 'close'] as const
type Listener = ((event: Event) => unknown) | null

/** A WebSocket to the control plane of the demo, without a network. */
export class PageSocket extends EventTarget {
  static readonly CONNECTING = CONNECTING
  static readonly OPEN = OPEN
  static readonly CLOSING = CLOSING
  static readonly CLOSED = CLOSED
  readonly CONNECTING = CONNECTING
  readonly OPEN = OPEN
  readonly CLOSING = CLOSING
  readonly CLOSED = CLOSED

  readonly url: string
  readonly protocol = ''
  readonly extensions = ''
  binaryType: BinaryType = 'blob'
  onopen: Listener = null
  onmessage: Listener = null
  onerror: Listener = null
  onclose: Listener = null
  readyState = CONNECTING
  bufferedAmount = 0

  #handler: SocketHandler | undefined
  /** Messages and closes are handled in order, each in a separate task. */
  #turns: Promise<void> = Promise.resolve()

  constructor(url: URL, options: PageSocketOptions) {
    super()
    this.url = url.href
    for (const type of eventTypes) {
      this.addEventListener(type, (event) => this[`on${type}`]?.(event))
    }
    void this.#connect(options)
  }

  async #connect({ ready, jar, wait = delay }: PageSocketOptions): Promise<void> {
    const url = this.url.replace(/^ws/, 'http')
    const [controlPlane] = await Promise.all([ready, wait(latency())])
    const outcome = await controlPlane.openSocket(await toWire(new Request(url), jar.header()), {
      clientAddress: CLIENT_ADDRESS,
    })
    if (this.readyState !== CONNECTING || outcome instanceof Response) {
      if (!(outcome instanceof Response)) outcome.closed()
      this.dispatchEvent(new Event('error'))
      return this.#end(ABNORMAL, '', false)
    }
    this.#handler = outcome
    this.readyState = OPEN
    this.dispatchEvent(new Event('open'))
    let buffered = 0
    outcome.open({
      send: (data) => {
        const size = sizeOf(data)
        buffered += size
        this.#serialize(() => {
          buffered -= size
          this.#receive(data)
          outcome.sent()
        })
      },
      close: (code, reason) =>
        this.#serialize(() => this.#end(code ?? NO_STATUS, reason ?? '', true)),
      buffered: () => buffered,
    })
  }

  send(data: Data): void {
    if (this.readyState === CONNECTING) {
      throw new DOMException('Still in CONNECTING state.', 'InvalidStateError')
    }
    const size = sizeOf(data)
    this.bufferedAmount += size
    if (this.readyState !== OPEN) return
    const sent = typeof data === 'string' || data instanceof Blob ? data : copyOf(data)
    this.#serialize(async () => {
      const bytes = sent instanceof Blob ? new Uint8Array(await sent.arrayBuffer()) : sent
      this.bufferedAmount -= size
      if (typeof bytes === 'string') this.#handler?.text(bytes)
      else void this.#handler?.message(bytes)
    })
  }

  close(code?: number, reason = ''): void {
    if (code !== undefined && code !== NORMAL && !(code >= 3000 && code <= 4999)) {
      throw new DOMException('The close code must be 1000 or 3000 to 4999.', 'InvalidAccessError')
    }
    if (encoder.encode(reason).length > MAX_REASON) {
      throw new DOMException('The close reason is too long.', 'SyntaxError')
    }
    if (this.readyState >= CLOSING) return
    const connected = this.readyState === OPEN
    this.readyState = CLOSING
    if (connected) this.#serialize(() => this.#end(code ?? NO_STATUS, reason, true))
  }

  #serialize(work: () => void | Promise<void>): void {
    this.#turns = this.#turns.then(work)
  }

  #receive(data: Uint8Array | string): void {
    if (this.readyState !== OPEN) return
    const copy = typeof data === 'string' ? data : (data.slice().buffer as ArrayBuffer)
    const message =
      typeof copy === 'string' || this.binaryType === 'arraybuffer' ? copy : new Blob([copy])
    this.dispatchEvent(
      new MessageEvent('message', { data: message, origin: new URL(this.url).origin }),
    )
  }

  #end(code: number, reason: string, wasClean: boolean): void {
    if (this.readyState === CLOSED) return
    this.readyState = CLOSED
    this.#handler?.closed()
    this.#handler = undefined
    this.dispatchEvent(new CloseEvent('close', { code, reason, wasClean }))
  }
}

/** Whether a socket is for the control plane of the demo. */
const isPageSocket = (url: URL, host: string): boolean =>
  /^(ws|http)s?:$/.test(url.protocol) && url.host === host && /^\/(x\/)?v1\//.test(url.pathname)

/** A `WebSocket` class whose connections to the control plane need no network. */
export function createPageSockets(
  options: PageSocketOptions & {
    location: { host: string; href: string }
    WebSocket: typeof WebSocket
  },
): typeof WebSocket {
  const { location, WebSocket } = options
  return new Proxy(WebSocket, {
    construct(real, [target, protocols]: [string | URL, string[] | undefined], newTarget) {
      const url = new URL(target, location.href)
      if (!isPageSocket(url, location.host)) {
        return Reflect.construct(real, [target, ...(protocols ? [protocols] : [])], newTarget)
      }
      url.protocol = url.protocol.replace('http', 'ws')
      return new PageSocket(url, options)
    },
  })
}
