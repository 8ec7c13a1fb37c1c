/** Checks of the software for real machines on this host. */
import type { ServerConfig } from '../config.ts'
import { machineProblems } from '../engine.ts'
import type { PlainConnections } from '../host-networks.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

export interface NetworkState {
  /** Why machines have no networks between them; undefined if they have. */
  problem: string | undefined
  /** What of these networks does not run. */
  faults: readonly string[]
  /** Undefined where no other machines take part. */
  plain: PlainConnections | undefined
}

/** What guests reach that they should not, and what they should reach and do not. */
function networksOf({ problem: missing, faults }: NetworkState): Finding[] {
  const about = 'networks of machines'
  if (missing === undefined) {
    return faults.length > 0
      ? faults.map((fault) => problem(about, fault))
      : [ok(about, 'OVN carries them')]
  }
  return [
    warning(about, 'machines do not reach each other', missing),
    warning(
      'isolation of machines',
      'guests reach the addresses of this machine, also 127.0.0.1, with all that listens there',
      'run no untrusted guests, or block their connections as the documentation says under Real machines',
    ),
  ]
}

/** @param networks undefined if the database does not say which networks they have */
export async function checkMachines(
  config: ServerConfig,
  networks: NetworkState | undefined,
): Promise<Finding[]> {
  const { missing, sockets } = await machineProblems(config)
  if (missing !== undefined) {
    return [problem('real machines', missing, 'install what is missing, and start libvirt')]
  }
  return [
    sockets
      ? problem('sockets of machines', sockets.reason, sockets.advice)
      : ok('sockets of machines', 'their paths are short enough'),
    ...(networks ? networksOf(networks) : []),
  ]
}
