/** Answers the calls of the page, in the worker. */
import type { SocketHandler } from '@steading/control-plane'
import { WireRequest } from '../host/page-request.ts'
import type {
  LaterCall,
  ControlPlaneCalls,
  FollowUp,
  Reply,
  SentAnswer,
  SentRequest,
} from './protocol.ts'

const post = (port: MessagePort, reply: Reply, transfer: Transferable[] = []): void =>
  port.postMessage(reply, transfer)

const postError = (port: MessagePort, error: unknown): void => {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  post(port, { error: { name, message } })
  port.close()
}

function requestOf({ url, method, headers, body }: SentRequest, signal?: AbortSignal): Request {
  return new WireRequest(new Request(url, { method, signal }), body, new Headers(headers))
}

/** Streams, and files of any size, go in pieces. */
const isWhole = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('application/json') ?? true

/** Sends an answer, and its pieces as the page asks for them. */
async function answer(port: MessagePort, response: Response, ended: AbortSignal): Promise<void> {
  const reader = response.body && !isWhole(response) ? response.body.getReader() : undefined
  const body = reader ? 'pieces' : response.body ? await response.arrayBuffer() : null
  const result: SentAnswer = { status: response.status, headers: [...response.headers], body }
  post(port, { result }, body instanceof ArrayBuffer ? [body] : [])
  if (!reader) return port.close()
  ended.addEventListener('abort', () => void reader.cancel().catch(() => {}))
  const next = async () => {
    try {
      const { done, value } = await reader.read()
      post(port, { piece: done ? undefined : value })
    } catch (error) {
      postError(port, error)
    }
  }
  port.addEventListener('message', ({ data }: MessageEvent<FollowUp>) => {
    if (data === 'more') void next()
  })
}

/** Connects a socket of the control plane with the page. */
function connect(port: MessagePort, handler: SocketHandler): void {
  /** Sizes of the frames that the page has not shown. */
  const waiting: number[] = []
  let buffered = 0
  const open = () =>
    handler.open({
      send(frame) {
        const size =
          typeof frame === 'string' ? new TextEncoder().encode(frame).length : frame.length
        waiting.push(size)
        buffered += size
        post(port, { frame })
      },
      close: (...close) => post(port, { close }),
      buffered: () => buffered,
    })
  const on = (further: FollowUp): void => {
    if (further === 'listens') open()
    else if (further === 'shown') {
      buffered -= waiting.shift() ?? 0
      handler.sent()
    } else if (further === 'closed') {
      handler.closed()
      port.close()
    } else if (typeof further === 'object') {
      if (typeof further.frame === 'string') handler.text(further.frame)
      else void handler.message(further.frame)
    }
  }
  port.addEventListener('message', ({ data }: MessageEvent<FollowUp>) => on(data))
  post(port, { socket: true })
}

/**
 * Answers a call of the page.
 * @param signIn opens a session for a user, and returns its token
 */
export async function serve(
  called: ControlPlaneCalls,
  call: LaterCall,
  port: MessagePort,
  signIn: (name?: string) => Promise<string>,
): Promise<void> {
  const ended = new AbortController()
  port.addEventListener('message', ({ data }: MessageEvent<FollowUp>) => {
    if (data === 'cancel') ended.abort()
  })
  port.start()
  const setCookie = (cookie: string) => post(port, { cookie })
  try {
    if (call.call === 'signIn') {
      post(port, { result: await signIn(call.name) })
      return port.close()
    }
    if (call.call === 'consolePage') {
      const response = await called.consolePage(requestOf(call.request))
      if (response) return await answer(port, response, ended.signal)
      post(port, { result: undefined })
      return port.close()
    }
    const { clientAddress } = call
    const request = requestOf(call.request, ended.signal)
    if (call.call === 'fetch') {
      return await answer(
        port,
        await called.fetch(request, { clientAddress, setCookie }),
        ended.signal,
      )
    }
    const opened = await called.openSocket(request, { clientAddress, setCookie })
    if (opened instanceof Response) await answer(port, opened, ended.signal)
    else connect(port, opened)
  } catch (error) {
    postError(port, error)
  }
}
