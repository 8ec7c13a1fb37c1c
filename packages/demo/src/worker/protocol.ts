/** Messages between the page and the worker with the control plane. Each call has a port of its own. */
import type { ControlPlane } from '@steading/control-plane'

/** The functions of the control plane that the page calls. */
export type ControlPlaneCalls = Pick<ControlPlane, 'fetch' | 'openSocket' | 'consolePage'>

export interface SentRequest {
  url: string
  method: string
  headers: [string, string][]
  body: ArrayBuffer | null
}

/** A call of the page, sent with a port for its replies. The first one starts the control plane. */
export type Call =
  | { call: 'start'; file: ArrayBuffer; now: number; origin: string }
  | { call: 'signIn'; name: string | undefined }
  | { call: 'fetch' | 'openSocket'; request: SentRequest; clientAddress: string }
  | { call: 'consolePage'; request: SentRequest }

export interface SentAnswer {
  status: number
  headers: [string, string][]
  /** The whole body, none, or `pieces` that follow, one for each `more`. */
  body: ArrayBuffer | null | 'pieces'
}

/** A message of the worker on the port of a call. */
export type Reply =
  | { cookie: string }
  | { result: SentAnswer | string | undefined }
  | { error: { name: string; message: string } }
  /** A piece of the body; undefined at the end. */
  | { piece: Uint8Array | undefined }
  /** The socket is open. */
  | { socket: true }
  | { frame: Uint8Array | string }
  | { close: [code?: number, reason?: string] }

/** A further message of the page on the port of a call. */
export type FollowUp =
  | 'more'
  | 'cancel'
  /** About a socket: the page listens, has shown a frame, or has closed it. */
  | 'listens'
  | 'shown'
  | 'closed'
  | { frame: Uint8Array | string }

/** Any call but the first. */
export type LaterCall = Exclude<Call, { call: 'start' }>
