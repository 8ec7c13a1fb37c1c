/** Checks of the software for real machines on this host. */
import type { ServerConfig } from '../config.ts'
import { machineProblems } from '../engine.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** What guests reach that they should not, and what they should reach and do not. */
function networksOf(problem: string | undefined): Finding[] {
  if (problem === undefined) return [ok('networks of machines', 'OVN carries them')]
  return [
    warning('networks of machines', 'machines do not reach each other', problem),
    warning(
      'isolation of machines',
      'guests reach the addresses of this machine, also 127.0.0.1, with all that listens there',
      'run no untrusted guests, or block their connections as the documentation says under Real machines',
    ),
  ]
}

/** @param networkProblem why machines have no networks between them; undefined if they have */
export async function checkMachines(
  config: ServerConfig,
  networkProblem: string | undefined,
): Promise<Finding[]> {
  const { missing, sockets } = await machineProblems(config)
  if (missing !== undefined) {
    return [problem('real machines', missing, 'install what is missing, and start libvirt')]
  }
  return [
    sockets
      ? problem('sockets of machines', sockets.reason, sockets.advice)
      : ok('sockets of machines', 'their paths are short enough'),
    ...networksOf(networkProblem),
  ]
}
