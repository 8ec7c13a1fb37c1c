/**
 * Simulated hosts that operators can add. The host name in the address says what the checks find:
 * names that begin with `sim-` pass, unless the next word is a fault of `faults`; all others are out
 * of reach. An enrolled host is another sled of the rack. Hosts whose next word is `unleased` start
 * guests without leases; the leases of all others work. The clock of hosts whose next word is `drift`
 * is wrong once they are enrolled.
 */
import {
  clockFinding,
  failedBy,
  HOST_LIBVIRT_MIN,
  type HostFinding,
  hostName,
  hostProblems,
  type LeaseHold,
  leaseFaults,
  passedCheck,
} from '@steading/api/rules'
import type { Tx } from '@steading/control-plane/engine'
import {
  type EngineContext,
  FencingFault,
  type HostConnection,
  type HostEnrolment,
  type SeenSled,
} from '@steading/control-plane/ports'
import { firstFreeCubby, newDisks, newSled } from './new-sleds.ts'
import type { SimulatedOptions } from './options.ts'

const DIRECTORY = '/var/lib/steading/volumes'

/** Clocks of hosts, and those that are wrong. Seconds. */
const CLOCK_AHEAD = 0.1
const CLOCK_AHEAD_WRONG = -340

/** The word after `sim-` in the name of a host → what is wrong with it. */
const faults: Record<string, (name: string) => HostFinding> = {
  old: () =>
    hostProblems.old_software({ name: 'Libvirt', found: '7.0.0', needed: HOST_LIBVIRT_MIN }),
  arm: () => hostProblems.other_architecture({ found: 'aarch64', needed: 'x86_64' }),
  noguests: () =>
    hostProblems.no_guests({ reason: 'the emulator /usr/bin/qemu-system-x86_64 is missing' }),
  clock: () => clockFinding(CLOCK_AHEAD_WRONG),
  nostorage: () => hostProblems.no_storage({ directory: DIRECTORY, reason: 'no such directory' }),
  otherstorage: () => hostProblems.other_storage({ directory: DIRECTORY }),
  nochassis: (name) => hostProblems.no_chassis({ name }),
  localtunnels: (name) => hostProblems.local_tunnels({ name, address: '127.0.0.1' }),
  nocertificate: () => hostProblems.no_certificate({ reason: 'there is no certificate' }),
}

const SIMULATED = /^sim-([a-z0-9]+)/

const serialOf = (name: string): string => name.toUpperCase()

/** What the checks of a host find. */
function findingsOf(name: string): HostFinding[] {
  const word = SIMULATED.exec(name)?.[1]
  if (word === undefined) {
    return [hostProblems.unreachable({ reason: `no simulated host is called ${name}` })]
  }
  const found = [
    passedCheck('connection', 'Libvirt answers'),
    passedCheck('identity', `Its serial number is ${serialOf(name)}`),
    passedCheck('software', 'Libvirt 9.0.0 and QEMU 7.2.0 on x86_64'),
    clockFinding(CLOCK_AHEAD),
    passedCheck('storage', `It sees the volumes in ${DIRECTORY}`),
    name.includes('slow')
      ? hostProblems.emulated({})
      : passedCheck('accelerator', 'A trial guest runs with KVM'),
    passedCheck('networks', 'OVN has its chassis'),
    passedCheck('moves', 'Moves to and from it are encrypted'),
    passedCheck('leases', 'Its sanlock has a watchdog'),
  ]
  const fault = faults[word]?.(name)
  return fault ? failedBy(found, fault) : found
}

/** Part number of simulated hosts, by which they differ from the other sleds. */
const PART = '913-0000031'

interface SimulatedHosts extends HostEnrolment {
  /** Takes note of which hosts answer. */
  noteConnections: (sleds: readonly Pick<SeenSled, 'part' | 'serial' | 'responding'>[]) => void
}

/** @param changed called when an enrolled host has come or gone */
export function createSimulatedHosts(
  { database, clock }: Pick<EngineContext, 'database' | 'clock'>,
  options: SimulatedOptions,
  changed: () => void,
): SimulatedHosts {
  const connections = new Map<string, HostConnection>()
  /** Serial number of a silent host → when its leases were asked for first, by a monotonic clock. */
  const asked = new Map<string, number>()

  /** The slot of a host: the one that it had before, or else the first free one. */
  async function cubbyOf(tx: Tx, serial: string): Promise<number> {
    const known = await tx
      .selectFrom('simulated_host')
      .select('cubby')
      .where('serial', '=', serial)
      .executeTakeFirst()
    const cubby = known?.cubby ?? (await firstFreeCubby(tx))
    if (cubby === undefined) throw new Error('no slot of the simulated rack is free')
    return cubby
  }

  async function answers(serial: string): Promise<boolean> {
    const sled = await database.db
      .selectFrom('simulated_sled')
      .select('serial')
      .where('serial', '=', serial)
      .where('down', '=', 0)
      .where('cut', '=', 0)
      .executeTakeFirst()
    return sled !== undefined
  }

  async function drifts(serial: string): Promise<boolean> {
    if (!serial.startsWith('SIM-DRIFT')) return false
    const host = await database.db
      .selectFrom('simulated_host')
      .select('serial')
      .where('serial', '=', serial)
      .where('address', 'is not', null)
      .executeTakeFirst()
    return host !== undefined
  }

  return {
    async examine(address) {
      await new Promise((resolve) => setTimeout(resolve, options.rebootMs))
      const name = hostName(address)
      const found = findingsOf(name)
      const isWrong = await drifts(serialOf(name))
      const findings = isWrong ? failedBy(found, clockFinding(CLOCK_AHEAD_WRONG)) : found
      const failed = findings.some(({ outcome }) => outcome === 'failed')
      return { findings, host: failed ? undefined : { part: PART, serial: serialOf(name) } }
    },

    async enroll({ part, serial }, address) {
      const isNew = await database.transaction(async (tx) => {
        const cubby = await cubbyOf(tx, serial)
        await tx
          .insertInto('simulated_host')
          .values({ serial, cubby, address })
          .onConflict((conflict) => conflict.column('serial').doUpdateSet({ address }))
          .execute()
        const sled = await tx
          .selectFrom('simulated_sled')
          .select('serial')
          .where('serial', '=', serial)
          .executeTakeFirst()
        if (sled) return false
        await tx
          .insertInto('simulated_sled')
          .values({ ...newSled(cubby, false), part, serial })
          .execute()
        await tx.insertInto('simulated_disk').values(newDisks(serial)).execute()
        return true
      })
      if (isNew) changed()
    },

    async forget({ serial }) {
      await database.transaction(async (tx) => {
        const host = await tx
          .updateTable('simulated_host')
          .set({ address: null })
          .where('serial', '=', serial)
          .returning('serial')
          .executeTakeFirst()
        if (!host) return
        await tx.deleteFrom('simulated_sled').where('serial', '=', serial).execute()
        await tx.deleteFrom('simulated_disk').where('sled_serial', '=', serial).execute()
      })
      connections.delete(serial)
      changed()
    },

    answers,

    async clockAhead(serial) {
      if (!(await answers(serial))) return undefined
      return (await drifts(serial)) ? CLOCK_AHEAD_WRONG : CLOCK_AHEAD
    },

    async isClear(serial) {
      if (!(await answers(serial))) return false
      const machine = await database.db
        .selectFrom('simulated_machine')
        .innerJoin('simulated_sled', 'simulated_sled.sled_id', 'simulated_machine.sled_id')
        .select('id')
        .where('simulated_sled.serial', '=', serial)
        .where('phase', 'not in', ['stopped', 'failed'])
        .executeTakeFirst()
      return machine === undefined
    },

    async tryLeases(serial) {
      const refuse = ({ reason, remedy }: { reason: string; remedy: string }): never => {
        throw new FencingFault(reason, remedy)
      }
      if (!(await answers(serial))) refuse(leaseFaults.silent)
      if (serial.startsWith('SIM-UNLEASED')) refuse(leaseFaults.notEnforced)
      const other = await database.db
        .selectFrom('simulated_host')
        .innerJoin('simulated_sled', 'simulated_sled.serial', 'simulated_host.serial')
        .select('simulated_host.serial')
        .where('simulated_host.serial', '!=', serial)
        .where('down', '=', 0)
        .where('cut', '=', 0)
        .limit(1)
        .executeTakeFirst()
      if (!other) refuse(leaseFaults.noWitness)
    },

    // They run out in the time of a reboot. A host that is cut off, but on, renews them.
    async leaseHold(serial): Promise<LeaseHold | undefined> {
      const sled = await database.db
        .selectFrom('simulated_sled')
        .select('down')
        .where('serial', '=', serial)
        .executeTakeFirst()
      if (!sled || sled.down === 0) {
        asked.delete(serial)
        return 'renewed'
      }
      const first = asked.get(serial) ?? performance.now()
      asked.set(serial, first)
      if (performance.now() - first < options.rebootMs) return 'running_out'
      asked.delete(serial)
      return undefined
    },

    connection: (serial) => connections.get(serial),

    noteConnections(sleds) {
      for (const { part, serial, responding } of sleds) {
        if (part !== PART || connections.get(serial)?.connected === responding) continue
        connections.set(serial, {
          connected: responding,
          since: clock(),
          ...(!responding && { reason: 'no route to host' }),
        })
      }
    },
  }
}
