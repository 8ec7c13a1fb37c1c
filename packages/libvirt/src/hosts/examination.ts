/** The checks of a host before machines run there. */
import { join } from 'node:path'
import {
  clockFinding,
  HOST_LIBVIRT_MIN,
  HOST_QEMU_MIN,
  hostAddressProblem,
  type HostFinding,
  hostProblems,
  isLoopback,
  passedCheck,
} from '@steading/api/rules'
import type { EngineContext, HostExamination } from '@steading/control-plane/ports'
import { CommandError } from '@steading/commands'
import { errorMessage } from '@steading/files'
import { type Accelerator, runsGuests, tryGuest } from '../accelerator.ts'
import type { MachineFiles } from '../files.ts'
import { serialOf } from '../host.ts'
import { withoutPaths } from '../host-paths.ts'
import { LibvirtError } from '../native/errors.ts'
import { callLimits, type CallLimits } from '../native/lanes.ts'
import { ARCHITECTURE, type Libvirt, openLibvirt } from '../native/libvirt.ts'
import type { LeaseFiles } from '../leases/lease-files.ts'
import type { LibvirtOptions, NetworkHosts } from '../options.ts'
import { tryCertificate } from '../trial-guest.ts'
import { shellAt } from './sockets-of-hosts.ts'

/** Limits of the calls that look at a host. Milliseconds. */
const LOOK_LIMITS = { ...callLimits, quick: 30_000, slow: 60_000, start: 60_000, end: 30_000 }
/** Time for the answer of sanlock. Milliseconds. */
const STATUS_MS = 10_000

/** Whether a version such as `9.0.0` is not older than another one. */
export function isAtLeast(version: string, least: string): boolean {
  const [found, needed] = [version, least].map((text) => text.split('.').map(Number))
  for (const [index, number] of needed!.entries()) {
    const other = found![index] ?? 0
    if (other !== number) return other > number
  }
  return true
}

/** The id and the architecture of a host, in libvirt's description. */
export const hostIn = (capabilities: string) => ({
  id: /<host>\s*<uuid>([^<]*)<\/uuid>/.exec(capabilities)?.[1],
  architecture: /<host>.*?<cpu>\s*<arch>([^<]*)<\/arch>/s.exec(capabilities)?.[1],
  model: /<host>.*?<cpu>.*?<model>([^<]*)<\/model>/s.exec(capabilities)?.[1],
})

interface ExaminationParts
  extends
    Pick<LibvirtOptions, 'directory' | 'encryptMoves' | 'networkHosts'>,
    Pick<EngineContext, 'clock'> {
  files: () => Promise<MachineFiles>
  leases: Pick<LeaseFiles, 'areSetUp'>
}

/** An examination with the accelerator that was found. */
interface Examined extends HostExamination {
  accelerator?: Accelerator
}

/** A check failed; the rest is not looked at. */
class CheckFailed extends Error {}

/** A connection of its own, so that a host that hangs holds up nothing else. */
export async function withLibvirt<T>(
  address: string,
  work: (libvirt: Libvirt) => Promise<T>,
  limits: CallLimits = LOOK_LIMITS,
): Promise<T> {
  const libvirt = await openLibvirt(address, limits)
  try {
    return await work(libvirt)
  } finally {
    await libvirt.close()
  }
}

/** Seconds by which the clock of a host is ahead. */
export async function clockAhead(libvirt: Libvirt, clock: () => Date): Promise<number> {
  const before = clock().getTime()
  const there = await libvirt.clock()
  return (there - (before + clock().getTime()) / 2) / 1000
}

/** Whether the machine is reset if its sanlock does not renew the leases any more. */
async function watchdogOf(address: string): Promise<HostFinding> {
  const shell = shellAt(address)
  if (!shell) {
    return hostProblems.unknown_watchdog({ reason: 'the host is not reached by SSH' })
  }
  try {
    const status = await shell.run('sanlock', ['client', 'status', '-D'], { ms: STATUS_MS })
    // sanlock does not join a lockspace without the watchdog that it was told to use.
    const [, uses] = /^\s*use_watchdog=(\d)$/m.exec(status) ?? []
    if (uses === undefined) throw new CommandError('sanlock does not say it', {})
    return uses === '0'
      ? hostProblems.no_watchdog({})
      : passedCheck('leases', 'Its sanlock has a watchdog')
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return hostProblems.unknown_watchdog({ reason: error.message })
  }
}

async function takesPart(networkHosts: NetworkHosts, name: string): Promise<HostFinding> {
  try {
    const address = await networkHosts.tunnelOf(name)
    if (address === undefined) return hostProblems.no_chassis({ name })
    if (isLoopback(address)) return hostProblems.local_tunnels({ name, address })
    return passedCheck('networks', `OVN has its chassis ${name}, with tunnels at ${address}`)
  } catch (error) {
    return hostProblems.silent_networks({ reason: errorMessage(error) })
  }
}

/** @returns examines the host at an address, as the port for enrolment says */
export function createExamination({
  files,
  directory,
  encryptMoves,
  networkHosts,
  clock,
  leases,
}: ExaminationParts): (address: string) => Promise<Examined> {
  /** Proves that a host sees the directory, by a file whose name nobody can guess. */
  const seesDirectory = async (libvirt: Libvirt): Promise<HostFinding> => {
    const { calls } = await files()
    const folder = join(directory, 'checks', crypto.randomUUID())
    const name = crypto.randomUUID()
    await calls.makeDirectories(folder)
    try {
      await calls.touch(join(folder, name))
      if (await libvirt.seesFile(folder, name)) {
        return passedCheck('storage', `It sees ${directory}`)
      }
      return hostProblems.other_storage({ directory: directory })
    } catch (error) {
      if (!(error instanceof LibvirtError)) throw error
      const reason = error.message.replace(folder, directory)
      return hostProblems.no_storage({ directory: directory, reason })
    } finally {
      await calls.remove(folder)
    }
  }

  const runsTrial = async (libvirt: Libvirt): Promise<[Accelerator, HostFinding]> => {
    const its = await files()
    if (await runsGuests(libvirt, 'kvm', its)) {
      return ['kvm', passedCheck('accelerator', 'A trial guest runs with KVM')]
    }
    const reason = await tryGuest(libvirt, 'qemu', its)
    if (reason === undefined) return ['qemu', hostProblems.emulated({})]
    return ['qemu', hostProblems.no_guests({ reason: withoutPaths(reason) })]
  }

  const encrypts = async (libvirt: Libvirt): Promise<HostFinding> => {
    if (!encryptMoves) return hostProblems.plain_moves({})
    const reason = await tryCertificate(libvirt)
    return reason === undefined
      ? passedCheck('moves', 'Moves to and from it are encrypted')
      : hostProblems.no_certificate({ reason })
  }

  const hasWatchdog = async (address: string): Promise<HostFinding> => {
    if (!(await leases.areSetUp())) {
      return passedCheck('leases', 'The shared directory has no leases of sanlock')
    }
    return watchdogOf(address)
  }

  const look = async (
    libvirt: Libvirt,
    findings: HostFinding[],
  ): Promise<HostExamination['host'] & { accelerator: Accelerator }> => {
    const note = (finding: HostFinding): void => {
      findings.push(finding)
      if (finding.outcome === 'failed') throw new CheckFailed()
    }
    const versions = await libvirt.versions()
    note(passedCheck('connection', `Libvirt answers at ${libvirt.uri}`))
    const capabilities = hostIn(await libvirt.capabilities())
    const { hostname } = await libvirt.nodeInfo()
    if (capabilities.id === undefined) throw new LibvirtError('it does not say which host it is', 0)
    const serial = serialOf(capabilities.id)
    note(passedCheck('identity', `It is ${hostname}, with the serial number ${serial}`))
    for (const [name, found, needed] of [
      ['Libvirt', versions.libvirt, HOST_LIBVIRT_MIN],
      ['QEMU', versions.qemu, HOST_QEMU_MIN],
    ] as const) {
      if (!isAtLeast(found, needed)) note(hostProblems.old_software({ name, found, needed }))
    }
    const found = capabilities.architecture ?? 'unknown'
    if (found !== ARCHITECTURE) {
      note(hostProblems.other_architecture({ found, needed: ARCHITECTURE }))
    }
    note(
      passedCheck('software', `Libvirt ${versions.libvirt} and QEMU ${versions.qemu} on ${found}`),
    )
    note(clockFinding(await clockAhead(libvirt, clock)))
    note(await seesDirectory(libvirt))
    const [accelerator, finding] = await runsTrial(libvirt)
    note(finding)
    if (networkHosts) note(await takesPart(networkHosts, hostname))
    note(await encrypts(libvirt))
    note(await hasWatchdog(libvirt.uri))
    return { serial, part: capabilities.model ?? 'unknown', accelerator }
  }

  return async (address) => {
    const findings: HostFinding[] = []
    const problem = hostAddressProblem(address)
    if (problem !== undefined) {
      return { findings: [hostProblems.unreachable({ reason: problem })], host: undefined }
    }
    try {
      const { accelerator, ...host } = await withLibvirt(address, (libvirt) =>
        look(libvirt, findings),
      )
      return { findings, host, accelerator }
    } catch (error) {
      if (!(error instanceof CheckFailed || error instanceof LibvirtError)) throw error
      if (error instanceof LibvirtError) {
        findings.push(hostProblems.unreachable({ reason: error.message }))
      }
      return { findings, host: undefined }
    }
  }
}
