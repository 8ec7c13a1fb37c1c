import { consoleEndings } from '@steading/api/rules'
import type { Actor } from '../kernel/authz/actor.ts'
import { ApiError } from '../kernel/errors.ts'
import type { ControlPlaneServices } from '../kernel/services.ts'
import type { Socket, SocketHandler } from '../kernel/sockets.ts'
import { authenticate } from '../resources/identity/auth/authenticate.ts'
import { createInputWindow } from './input-window.ts'

/** Close codes, RFC 6455 section 7.4.1 and its registry. */
const POLICY_VIOLATION = 1008
const TRY_AGAIN_LATER = 1013

/**
 * Bounds the input of a socket, and checks repeatedly that its caller may still use it: once per
 * trust period, and before input that arrives after a write of this process. Otherwise closes the
 * socket with a reason.
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
  const input = createInputWindow({
    pause: () => socket?.pause?.(),
    resume: () => socket?.resume?.(),
    refuse: (reason) => end(TRY_AGAIN_LATER, reason),
  })
  /** Input is passed on in the order of arrival. */
  let turns: Promise<void> = Promise.resolve()

  const leave = () => {
    if (over) return
    over = true
    clearInterval(timer)
    input.close()
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
      if (!outages.recognize(error)) settings.log('checking the session of a socket failed', error)
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
      if (over || !input.add(data.length)) return
      used ||= handler.isUse?.(data) ?? true
      turns = turns.then(look).then(() => {
        if (over) return
        const taken = () => input.take(data.length)
        void Promise.resolve(handler.message(data)).then(taken, taken)
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
