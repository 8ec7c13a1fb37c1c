import { consoleEndings } from '@steading/api/rules'
import type { Actor } from '../kernel/authz/actor.ts'
import { ApiError } from '../kernel/errors.ts'
import type { ControlPlaneServices } from '../kernel/services.ts'
import type { Socket, SocketHandler } from '../kernel/sockets.ts'
import { authenticate } from '../resources/identity/auth/authenticate.ts'

/** Close codes, RFC 6455 section 7.4.1 and its registry. */
const POLICY_VIOLATION = 1008
const TRY_AGAIN_LATER = 1013

/** Bytes of input that may wait for a check of the session; pasted text is shorter. */
const MAX_WAITING = 16 * 1024 * 1024
/** Overhead that a frame counts besides its bytes, for the memory of its turn. */
const FRAME_BYTES = 256

/**
 * Checks repeatedly that the caller of a socket may still use it: once per trust period, and before
 * input that arrives after a write of this process. Otherwise closes the socket with a reason.
 * @param request the request that opened the socket
 * @param actor the caller when it was opened
 */
export function watchedSocket(
  services: ControlPlaneServices,
  request: Request,
  actor: Actor,
  handler: SocketHandler,
): SocketHandler {
  const { settings, outages, clock } = services
  let socket: Socket | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  let over = false
  let checked = actor
  let used = false
  let waiting = 0
  /** Input is passed on in the order of arrival. */
  let turns: Promise<void> = Promise.resolve()

  const leave = () => {
    if (over) return
    over = true
    clearInterval(timer)
    handler.closed()
  }
  const end = (code: number, reason: string) => {
    leave()
    socket?.close(code, reason)
  }
  const check = async (counts: boolean): Promise<void> => {
    const { actor: now } = await authenticate(services, request, clock(), counts)
    // Until the session is read again, the cache returns the same object.
    if (now !== checked) await handler.check(now)
    checked = now
  }
  const look = async (): Promise<void> => {
    if (over) return
    // Input counts as use of the session, and keeps it from expiring; an open console alone does
    // not.
    const counts = used
    used = false
    try {
      await check(counts)
    } catch (error) {
      if (error instanceof ApiError && error.template.status < 500) {
        const signedOut = error.template.status === 401
        end(POLICY_VIOLATION, signedOut ? consoleEndings.signedOut : consoleEndings.forbidden)
        return
      }
      if (!outages.notice(error)) settings.log('checking the session of a socket failed', error)
      end(TRY_AGAIN_LATER, consoleEndings.unavailable)
    }
  }

  return {
    check: handler.check,
    open(opened) {
      socket = opened
      timer = setInterval(() => void look(), settings.sessionTrustMs)
      handler.open(opened)
    },
    message(data) {
      waiting += FRAME_BYTES + data.length
      if (waiting > MAX_WAITING) return end(TRY_AGAIN_LATER, consoleEndings.unavailable)
      used ||= handler.isUse?.(data) ?? true
      turns = turns.then(look).then(() => {
        waiting -= FRAME_BYTES + data.length
        if (!over) handler.message(data)
      })
    },
    text(text) {
      if (!over) handler.text(text)
    },
    sent() {
      if (!over) handler.sent()
    },
    closed: leave,
  }
}
