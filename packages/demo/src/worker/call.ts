/** Calls the control plane in the worker as if it were in the page. */
import type { SocketHandler } from '@steading/control-plane'
import type {
  Call,
  ControlPlaneCalls,
  FollowUp,
  Reply,
  SentAnswer,
  SentRequest,
} from './protocol.ts'

/** The worker, or anything else that takes the messages. */
type Target = Pick<MessagePort, 'postMessage'>

export interface RemoteControlPlane extends ControlPlaneCalls {
  /** Starts the control plane; the calls before it wait. */
  start: (place: Omit<Extract<Call, { call: 'start' }>, 'call'>) => Promise<void>
  /** Opens a session for a user, by default the first one, and returns its token. */
  signIn: (name?: string) => Promise<string>
}

async function sent(request: Request): Promise<SentRequest> {
  const { url, method, headers } = request
  const body = await request.arrayBuffer()
  return { url, method, headers: [...headers], body: body.byteLength > 0 ? body : null }
}

const errorOf = ({ name, message }: { name: string; message: string }): Error =>
  Object.assign(new Error(message), { name })

const further = (port: MessagePort, message: FollowUp): void => port.postMessage(message)

type On = (reply: Reply) => void

/** Sends a call with a port for the replies. */
function open(target: Target, call: Call, transfer: Transferable[] = []) {
  const { port1: port, port2 } = new MessageChannel()
  let on: On = () => {}
  port.addEventListener('message', ({ data }: MessageEvent<Reply>) => on(data))
  port.start()
  target.postMessage({ ...call, port: port2 }, [port2, ...transfer])
  return {
    port,
    listen: (listener: On) => {
      on = listener
    },
  }
}

type Opened = ReturnType<typeof open>

/** The first reply that decides a call; cookies come before it. */
const decided = ({ listen }: Opened, setCookie: (cookie: string) => void = () => {}) =>
  new Promise<Extract<Reply, { result: unknown } | { socket: true }>>((resolve, reject) => {
    listen((reply) => {
      if ('cookie' in reply) setCookie(reply.cookie)
      else if ('error' in reply) reject(errorOf(reply.error))
      else if ('result' in reply || 'socket' in reply) resolve(reply)
    })
  })

/** Pieces are read one by one, as a slow reader asks for them. An aborted call ends them. */
function piecesOf({ port, listen }: Opened, signal: AbortSignal | undefined) {
  let ended = false
  /** Only the first end counts. */
  const end = (finish: () => void = () => {}): void => {
    if (ended) return
    ended = true
    port.close()
    finish()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        listen((reply) => {
          if (ended) return
          if ('error' in reply) end(() => controller.error(errorOf(reply.error)))
          else if ('piece' in reply && reply.piece) controller.enqueue(reply.piece)
          else if ('piece' in reply) end(() => controller.close())
        })
        signal?.addEventListener('abort', () => end(() => controller.close()))
      },
      pull: () => further(port, 'more'),
      cancel() {
        further(port, 'cancel')
        end()
      },
    },
    { highWaterMark: 0 },
  )
}

const responseOf = (
  opened: Opened,
  { status, headers, body }: SentAnswer,
  signal?: AbortSignal,
): Response =>
  new Response(body === 'pieces' ? piecesOf(opened, signal) : body, { status, headers })

/** A handler whose other end is in the worker. */
const handlerOf = ({ port, listen }: Opened): Omit<SocketHandler, 'check'> => ({
  open(socket) {
    listen((reply) => {
      if ('frame' in reply) socket.send(reply.frame)
      else if ('close' in reply) socket.close(...reply.close)
    })
    further(port, 'listens')
  },
  message: (frame) => further(port, { frame }),
  text: (frame) => further(port, { frame }),
  sent: () => further(port, 'shown'),
  closed: () => further(port, 'closed'),
})

/** Calls the control plane at the other end of a port. */
export function callThrough(target: Target): RemoteControlPlane {
  const ask = async (call: Call, transfer: Transferable[] = []) => {
    const reply = await decided(open(target, call, transfer))
    return 'result' in reply ? reply.result : undefined
  }
  return {
    start: async (place) => void (await ask({ call: 'start', ...place }, [place.file])),
    signIn: async (name) => (await ask({ call: 'signIn', name })) as string,
    async consolePage(request) {
      const call = { call: 'consolePage', request: await sent(request) } as const
      const opened = open(target, call)
      const reply = await decided(opened)
      return 'result' in reply && typeof reply.result === 'object'
        ? responseOf(opened, reply.result)
        : undefined
    },
    async fetch(request, { clientAddress, setCookie }) {
      const { signal } = request
      const call = { call: 'fetch', request: await sent(request), clientAddress } as const
      signal.throwIfAborted()
      const opened = open(target, call)
      const aborted = Promise.withResolvers<never>()
      signal.addEventListener('abort', () => {
        further(opened.port, 'cancel')
        aborted.reject(signal.reason)
      })
      const reply = await Promise.race([decided(opened, setCookie), aborted.promise])
      return responseOf(opened, (reply as { result: SentAnswer }).result, signal)
    },
    async openSocket(request, { clientAddress, setCookie }) {
      const call = { call: 'openSocket', request: await sent(request), clientAddress } as const
      const opened = open(target, call)
      const reply = await decided(opened, setCookie)
      return 'socket' in reply
        ? // The worker's handler is checked there.
          (handlerOf(opened) as SocketHandler)
        : responseOf(opened, reply.result as SentAnswer)
    },
  }
}
