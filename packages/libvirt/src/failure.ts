/** Why a machine did not start, for the owner of its instance. */
import { LibvirtError, NotInstalled } from './native/errors.ts'
import { withoutPaths } from './host-paths.ts'

const UNKNOWN = 'Its host could not start it'
/** Longest reason. Characters. */
const LENGTH = 300

/** Whether QEMU did not get a disk because another one has it open, such as one of a host that is cut off. */
export const isDiskHeld = (error: unknown): boolean =>
  error instanceof LibvirtError && /Failed to get .*lock/.test(error.message)

/** A sentence without a full stop, and without paths of the host. */
export function startFailure(error: unknown): string {
  if (!(error instanceof LibvirtError || error instanceof NotInstalled)) return UNKNOWN
  // QEMU's own message is the last one that libvirt passes on.
  const [, reason = error.message] = /.*qemu-system-\w+: (.*)$/s.exec(error.message) ?? []
  const text = withoutPaths(reason.replace(/^-\w+ (\{.*?\}|\S+): /s, ''))
    .replace(/^internal error: /, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '')
  return text === '' ? UNKNOWN : `${UNKNOWN}: ${text}`.slice(0, LENGTH)
}
