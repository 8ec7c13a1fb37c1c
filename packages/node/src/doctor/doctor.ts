import type { ServerConfig } from '../config.ts'
import { StartError } from '../errors.ts'
import { installation } from '../installation.ts'
import { checkCertificates } from './certificates.ts'
import { checkConnections } from './connections.ts'
import { checkDatabase } from './database.ts'
import { checkDataDirectory } from './data-directory.ts'
import { type Finding, type Level, levels, lineOf, problem, worst } from './finding.ts'
import { checkMachines, type NetworkState } from './machines.ts'
import { checkPorts } from './ports.ts'
import { type BuiltParts, checkProgram } from './program.ts'
import { checkUplinks } from './uplinks.ts'

/** All findings about a configuration, by group. */
async function* examine(config: () => ServerConfig, parts: BuiltParts): AsyncGenerator<Finding[]> {
  yield checkProgram(parts)
  let read: ServerConfig
  try {
    read = config()
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    yield [problem('configuration', error.message)]
    return
  }
  const { findings, readable } = await checkDataDirectory(read)
  yield findings
  let engine = read.engine
  let networks: NetworkState | undefined
  let hosts: string[] = []
  // A PostgreSQL database can be checked without the directory.
  if (readable || read.databaseUrl !== undefined) {
    const database = await checkDatabase(read)
    yield database.findings
    if (engine === 'auto') engine = database.engine ?? engine
    networks = database.networks
    hosts = database.hosts ?? hosts
  }
  if (engine === 'libvirt') yield await checkMachines(read, networks)
  yield await checkConnections(read, networks?.plain)
  yield await checkCertificates(read, { hasOvn: networks?.plain !== undefined, hosts })
  yield await checkUplinks(read)
  yield await checkPorts(read)
}

/**
 * `doctor`: prints the state of an installation, one finding per line, with advice for problems.
 * Changes nothing; servers may keep running.
 * @param parts directories of the built parts
 * @returns the worst finding
 */
export async function runDoctor(
  config: () => ServerConfig,
  parts: BuiltParts = installation,
): Promise<Level> {
  const all: Finding[] = []
  for await (const findings of examine(config, parts)) {
    for (const finding of findings) console.log(lineOf(finding))
    all.push(...findings)
  }
  const counts = levels.map((level) => {
    const count = all.filter((finding) => finding.level === level).length
    return `${count} ${level}`
  })
  console.log(counts.join(', '))
  return worst(all)
}
