/** Why a machine did not start, for the owner of its instance, or did not move. */
import { leaseFaults } from '@steading/api/rules'
import { FencingFault } from '@steading/control-plane/ports'
import { LibvirtError, NotInstalled } from './native/errors.ts'
import { withoutPaths } from './host-paths.ts'

/** Longest reason. Characters. */
const LENGTH = 300

/** Whether another host has the lease of a guest. */
export const isLeaseHeld = ({ message }: LibvirtError): boolean =>
  /Failed to acquire lock: .*held by another host/.test(message)

/** Whether a host takes no lease, because its sanlock has not joined the lockspace. */
export const isLockspaceMissing = ({ message }: LibvirtError): boolean =>
  /Failed to acquire lock: No space left on device/.test(message)

/**
 * Whether QEMU did not get a disk because another one has it open, or has its lease, such as one of a
 * host that is cut off.
 */
export const isDiskHeld = (error: unknown): boolean =>
  error instanceof LibvirtError &&
  (/Failed to get .*lock/.test(error.message) || isLeaseHeld(error))

/** QEMU's own message, which is the last one that libvirt passes on, or that of libvirt. */
export function lastWords({ message }: Error): string {
  const [, reason = message] = /.*qemu-system-\w+: (.*)$/s.exec(message) ?? []
  return reason.replace(/^-\w+ (\{.*?\}|\S+): /s, '').trim()
}

/** A sentence without a full stop, and without paths of the host. */
function because(what: string, error: unknown): string {
  if (error instanceof FencingFault) return `${what}: ${error.message}`
  if (!(error instanceof LibvirtError || error instanceof NotInstalled)) return what
  if (error instanceof LibvirtError && isLockspaceMissing(error)) {
    return `${what}: ${leaseFaults.notJoined.reason}`
  }
  const text = withoutPaths(lastWords(error))
    .replace(/^internal error: /, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '')
  return text === '' ? what : `${what}: ${text}`.slice(0, LENGTH)
}

export const startFailure = (error: unknown): string =>
  because('Its host could not start it', error)

/** Whether QEMU of a host has refused an encrypted move, or cannot encrypt one. */
const isUncertified = (error: unknown): boolean =>
  error instanceof LibvirtError && /access credentials|certificate|TLS/i.test(error.message)

export const moveFailure = (error: unknown): string =>
  because(
    isUncertified(error)
      ? 'Its hosts do not accept each other’s certificates'
      : 'Its host could not move it',
    error,
  )

export const copyFailure = (error: unknown): string =>
  because('Its host could not copy the disk', error)
