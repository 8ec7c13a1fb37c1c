/** Makes a host have what it is to have. Nothing is kept here: the host is read each time. */
import { createHash } from 'node:crypto'
import type { AppliedUplinks } from '@steading/control-plane/ports'
import type { HostShell } from '@steading/commands/host-shell'
import * as z from 'zod'
import { ask, lldpcli, reload, type Reply, vtysh } from './ask.ts'
import type { DesiredHost } from './config/desired.ts'
import { merged, readRunning, type Running } from './config/marks.ts'
import { linesOf, type Section } from './config/sections.ts'
import type { UplinkHost } from './hosts.ts'
import { answerOf, DaemonError } from './json.ts'
import { LldpConfiguration, LldpInterfaces, lldpPlan } from './lldp.ts'

/** Milliseconds to read a host, and to change it. */
const READ_MS = 10_000
const CHANGE_MS = 60_000

const Links = z.array(z.object({ ifname: z.string(), mtu: z.number(), flags: z.array(z.string()) }))
type Links = z.infer<typeof Links>

export const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** The interfaces that the operator has named. */
export const portsOf = ({ ports }: UplinkHost): Set<string> => new Set(Object.values(ports).flat())

/** The daemons without which some sections would be lost. */
function requireDaemons({ output }: Reply, desired: DesiredHost): void {
  const running = new Set(output.split(/\s+/))
  const needed = [
    'zebra',
    'staticd',
    ...(desired.bgp.length > 0 ? ['bgpd'] : []),
    ...(desired.bfd.length > 0 ? ['bfdd'] : []),
  ]
  const missing = needed.filter((name) => !running.has(name))
  if (missing.length > 0) throw new DaemonError(`FRR does not answer: ${missing.join(', ')}`)
}

interface Read {
  running: Running
  links: Links
  lldp: { commands: string[][]; problems: string[] }
}

async function read(shell: HostShell, host: UplinkHost, desired: DesiredHost): Promise<Read> {
  const ofLldp =
    host.lldp === undefined
      ? []
      : ['interfaces details', 'configuration'].map((what) =>
          lldpcli(host.lldp!, '-f', 'json0', 'show', ...what.split(' ')),
        )
  const [daemons, configuration, links, ...lldp] = (await ask(
    shell,
    [
      vtysh(host, 'show daemons'),
      vtysh(host, 'show running-config'),
      ['ip', '-json', 'link', 'show'],
      ...ofLldp,
    ],
    READ_MS,
  )) as [Reply, Reply, Reply, Reply?, Reply?]
  requireDaemons(daemons, desired)
  if (configuration.status !== 0) {
    throw new DaemonError(
      `FRR does not say its configuration: ${configuration.output.trim().slice(0, 200)}`,
    )
  }
  const [interfaces, ofDaemon] = lldp
  return {
    running: readRunning(configuration.output, portsOf(host)),
    links: answerOf(links, Links, 'the list of interfaces'),
    lldp:
      interfaces && ofDaemon
        ? lldpPlan(
            desired.interfaces,
            answerOf(interfaces, LldpInterfaces, 'the list of interfaces of lldpd'),
            answerOf(ofDaemon, LldpConfiguration, 'the configuration of lldpd'),
          )
        : { commands: [], problems: [] },
  }
}

/** Our sections that have a place beside those of others. */
function placed(
  { bgp, bfd, loopback, rest }: DesiredHost,
  { inTheWay }: Running,
): { sections: Section[]; problems: string[] } {
  const blocked = (part: Section[], way: string | undefined, what: string) =>
    part.length > 0 && way !== undefined
      ? [`${what} left out: FRR has "${way}" of its own there, which is not changed`]
      : []
  const problems = [
    ...blocked(bgp, inTheWay.bgp, 'all BGP peers are'),
    ...blocked(loopback, inTheWay.loopback, 'loopback addresses are'),
  ]
  return {
    sections: [
      ...rest,
      ...(inTheWay.loopback === undefined ? loopback : []),
      ...(inTheWay.bgp === undefined ? bgp : []),
      ...bfd,
    ],
    problems,
  }
}

/** Keys of peers are in no message. */
const masked = (line: string): string => line.trim().replace(/ password .*/, ' password …')

/** Lines with the section they are in, so that they can be compared. */
const located = (sections: readonly Section[]): Map<string, string> => {
  const found = new Map<string, string>()
  for (const section of sections) {
    const path: string[] = [section.head]
    for (const line of section.body) {
      const depth = line.search(/\S/)
      path.splice(depth, path.length, line.trim())
      if (!line.trim().startsWith('exit')) found.set(path.join(' / '), line)
    }
    found.set(section.head, section.head)
  }
  return found
}

/** The lines that FRR does not have. */
function missing(wanted: readonly Section[], there: readonly Section[]): string[] {
  const found = located(there)
  return [...located(wanted)].filter(([path]) => !found.has(path)).map(([, line]) => masked(line))
}

async function setLinks(
  shell: HostShell,
  { interfaces }: DesiredHost,
  links: Links,
): Promise<{ changed: boolean; problems: string[] }> {
  const problems: string[] = []
  let changed = false
  for (const { name, mtu } of interfaces) {
    const link = links.find(({ ifname }) => ifname === name)
    if (!link) {
      problems.push(`there is no interface ${name}`)
      continue
    }
    if (link.mtu === mtu && link.flags.includes('UP')) continue
    changed = true
    const words = ['ip', 'link', 'set', 'dev', name, 'mtu', String(mtu), 'up']
    const [reply] = await ask(shell, [words], READ_MS)
    if (reply!.status !== 0) {
      problems.push(`${name} does not take an MTU of ${mtu}: ${reply!.output.trim().slice(0, 200)}`)
    }
  }
  return { changed, problems }
}

/**
 * Makes a host have what it is to have.
 * @param known what it was found with the last time, by its digest
 * @throws CommandError, DaemonError
 */
export async function applyTo(
  shell: HostShell,
  host: UplinkHost,
  desired: DesiredHost,
  known: string | undefined,
): Promise<AppliedUplinks> {
  const before = await read(shell, host, desired)
  const { sections, problems } = placed(desired, before.running)
  const links = await setLinks(shell, desired, before.links)
  let { own } = before.running
  const isLevel =
    digestOf(linesOf(own)) === known ||
    (missing(sections, own).length === 0 && missing(own, sections).length === 0)
  if (!isLevel) {
    const text = linesOf(merged(before.running.others, sections)).join('\n')
    await shell.run('sh', ['-c', reload(host)], { ms: CHANGE_MS, input: `${text}\n` })
    own = (await read(shell, host, desired)).running.own
  }
  const { commands } = before.lldp
  if (commands.length > 0) {
    const replies = await ask(
      shell,
      commands.map((words) => lldpcli(host.lldp!, ...words)),
      READ_MS,
    )
    const failed = replies.findIndex(({ status }) => status !== 0)
    if (failed !== -1) {
      const { output } = replies[failed]!
      throw new DaemonError(
        `lldpd refuses "${commands[failed]!.join(' ')}": ${output.slice(0, 200)}`,
      )
    }
  }
  const lost = missing(sections, own).map((line) => `FRR does not take the line "${line}"`)
  return {
    found: digestOf(linesOf(own)),
    problems: [
      ...desired.problems,
      ...problems,
      ...links.problems,
      ...before.lldp.problems,
      ...lost.slice(0, 5),
    ],
    changed: !isLevel || commands.length > 0 || links.changed,
  }
}
