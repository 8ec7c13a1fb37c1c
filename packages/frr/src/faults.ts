/** The faults of hosts of uplinks, for `steading doctor`. */
import { CommandError } from '@steading/commands'
import { hostShell } from '@steading/commands/host-shell'
import { ask, lldpcli, vtysh, WITH_PATH } from './ask.ts'
import { portsOf } from './apply.ts'
import type { UplinkHost } from './hosts.ts'

/** Milliseconds for a host. */
const LOOK_MS = 10_000
/** Daemons of FRR that uplinks need. */
const DAEMONS = ['zebra', 'staticd', 'bgpd', 'bfdd']

/** The faults of a host, in sentences without a full stop, and the versions of its software. */
export interface HostFindings {
  faults: string[]
  versions: string
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? ''

/** Looks at a host of uplinks. */
export async function uplinkFaults(host: UplinkHost): Promise<HostFindings> {
  const shell = hostShell(host.host)!
  const of = `uplink host ${host.name} (${shell.host})`
  try {
    const [daemons, version, reload, links, lldp] = await ask(
      shell,
      [
        vtysh(host, 'show daemons'),
        vtysh(host, 'show version'),
        ['sh', '-c', `${WITH_PATH}; command -v frr-reload.py`],
        ['ip', '-oneline', 'link', 'show'],
        ...(host.lldp === undefined ? [] : [lldpcli(host.lldp, '-v')]),
        ...(host.lldp === undefined ? [] : [lldpcli(host.lldp, 'show', 'configuration')]),
      ],
      LOOK_MS,
    )
    const answering = daemons!.output.split(/\s+/)
    const silent = DAEMONS.filter((name) => !answering.includes(name))
    const interfaces = new Set(
      [...links!.output.matchAll(/^\d+: ([^:@]+)/gm)].map(([, name]) => name),
    )
    const missing = [...portsOf(host)].filter((name) => !interfaces.has(name))
    const faults = [
      ...(daemons!.status === 0 && silent.length < DAEMONS.length
        ? silent.map(
            (name) =>
              `${name} of ${of} does not answer; enable it in /etc/frr/daemons, and start frr`,
          )
        : [`FRR of ${of} does not answer: ${firstLine(daemons!.output)}`]),
      ...(reload!.status === 0
        ? []
        : [`frr-reload.py is missing on ${of}; apt-get install frr-pythontools`]),
      ...missing.map((name) => `${of} has no interface ${name}`),
      ...(lldp && lldp.status !== 0 ? [`lldpcli is missing on ${of}; apt-get install lldpd`] : []),
    ]
    const ofFrr = /FRRouting \S+/.exec(version!.output)?.[0]
    return {
      faults,
      versions: [ofFrr, lldp && `lldpd ${firstLine(lldp.output)}`].filter(Boolean).join(', '),
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { faults: [`${of} does not answer: ${error.message}`], versions: '' }
  }
}
