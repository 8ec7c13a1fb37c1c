/** Checks of what real machines need on this host. */
import type { ServerConfig } from '../config.ts'
import { type Finding, ok, problem } from './finding.ts'

/** Nothing for simulated machines. */
export async function checkMachines({ engine, libvirt }: ServerConfig): Promise<Finding[]> {
  if (engine === 'simulated') return []
  const { defaultUri, machinesUnavailable, socketsProblem } = await import('@steading/libvirt')
  const uri = libvirt ?? defaultUri()
  const reason = await machinesUnavailable(uri)
  // Otherwise they are simulated, as the log of the server says.
  if (reason !== undefined) {
    return engine === 'libvirt' ? [problem('real machines', reason, 'install what is missing')] : []
  }
  const sockets = socketsProblem(uri)
  return [
    sockets
      ? problem('sockets of machines', sockets.reason, sockets.advice)
      : ok('sockets of machines', 'their paths are short enough'),
  ]
}
