/** Checks of the software for real machines on this host. */
import type { ServerConfig } from '../config.ts'
import { machineProblems } from '../engine.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

export async function checkMachines(config: ServerConfig): Promise<Finding[]> {
  const { missing, sockets } = await machineProblems(config)
  if (missing !== undefined) {
    return [problem('real machines', missing, 'install what is missing, and start libvirt')]
  }
  return [
    sockets
      ? problem('sockets of machines', sockets.reason, sockets.advice)
      : ok('sockets of machines', 'their paths are short enough'),
    warning(
      'isolation of machines',
      'guests reach the addresses of this machine, also 127.0.0.1, with all that listens there',
      'run no untrusted guests, or block their connections as the documentation says under Real machines',
    ),
  ]
}
