/** The messages between a server and the process that calls libvirt for it. */
import { LibvirtError, NotInstalled } from './errors.ts'
import type { CallName } from './lanes.ts'
import type { Disconnection, DomainEvent } from './types.ts'

/** A call, for the process. */
export interface CallMessage {
  id: number
  name: CallName
  args: unknown[]
}

/** An error in a message. */
export interface SentError {
  kind: 'libvirt' | 'not installed' | 'other'
  message: string
  code: number
}

/** A message of the process to its server. */
export type ProcessMessage =
  | { ready: true }
  | { failed: SentError }
  | { event: DomainEvent | Disconnection }
  | { id: number; result: unknown }
  | { id: number; error: SentError }

export function toSent(error: unknown): SentError {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof LibvirtError) return { kind: 'libvirt', message, code: error.code }
  return { kind: error instanceof NotInstalled ? 'not installed' : 'other', message, code: 0 }
}

export function fromSent({ kind, message, code }: SentError): Error {
  if (kind === 'libvirt') return new LibvirtError(message, code)
  return kind === 'not installed' ? new NotInstalled(message) : new Error(message)
}
