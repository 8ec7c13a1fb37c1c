/** Checks of the hosts that have the uplinks. */
import type { ServerConfig } from '../config.ts'
import { uplinkProblems } from '../engine.ts'
import { StartError } from '../errors.ts'
import { type Finding, ok, problem } from './finding.ts'

const ABOUT = 'uplinks'

export async function checkUplinks(config: ServerConfig): Promise<Finding[]> {
  try {
    const hosts = await uplinkProblems(config)
    return hosts.flatMap(({ host, faults, versions }) =>
      faults.length > 0
        ? faults.map((fault) => problem(ABOUT, fault))
        : [ok(ABOUT, `${host} answers (${versions})`)],
    )
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return [problem(ABOUT, error.message)]
  }
}
