/** Why a machine did not start, for the owner of its instance, or did not move. */
import { LibvirtError, NotInstalled } from './native/errors.ts'
import { withoutPaths } from './host-paths.ts'

/** Longest reason. Characters. */
const LENGTH = 300

/** Whether QEMU did not get a disk because another one has it open, such as one of a host that is cut off. */
export const isDiskHeld = (error: unknown): boolean =>
  error instanceof LibvirtError && /Failed to get .*lock/.test(error.message)

/** A sentence without a full stop, and without paths of the host. */
function because(what: string, error: unknown): string {
  if (!(error instanceof LibvirtError || error instanceof NotInstalled)) return what
  // QEMU's own message is the last one that libvirt passes on.
  const [, reason = error.message] = /.*qemu-system-\w+: (.*)$/s.exec(error.message) ?? []
  const text = withoutPaths(reason.replace(/^-\w+ (\{.*?\}|\S+): /s, ''))
    .replace(/^internal error: /, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '')
  return text === '' ? what : `${what}: ${text}`.slice(0, LENGTH)
}

export const startFailure = (error: unknown): string =>
  because('Its host could not start it', error)

export const moveFailure = (error: unknown): string => because('Its host could not move it', error)
