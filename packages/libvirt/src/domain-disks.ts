/** The disks of running machines, as the volumes use them. */
import type { TakenSnapshot } from '@steading/control-plane/ports'
import type { Agents } from './agents.ts'
import { diskTarget, SEED_TARGET } from './domain-xml.ts'
import type { HostSet } from './hosts/host-set.ts'
import type { Libvirt } from './native/libvirt.ts'
import type { MachineRow, Rows } from './rows.ts'
import { isActive, isAtRest } from './state.ts'
import type { KeyedQueue } from './keyed-queue.ts'
import type { DomainDisks } from './volumes/volumes.ts'
import { element, escapeXml } from './xml.ts'

/** Whether the agent in the guest answers libvirt, by the description of the domain. */
const hasAgent = (xml: string): boolean =>
  /name='org\.qemu\.guest_agent\.0' state='connected'/.test(xml)

const isSource = (xml: string, path: string): boolean =>
  xml.includes(`<source file='${escapeXml(path)}'`)

/** A machine runs on another host, whose QEMU only the server there can ask. */
export class OtherHostError extends Error {}
/** A machine moves to another host: which of the two QEMUs has its disks is not known yet. */
export class MovingMachineError extends Error {}

export type DiskHosts = Pick<HostSet, 'has'> & {
  of: (serial: string) => Promise<{ libvirt: Libvirt }>
}

/**
 * The row of a machine that was started, and has not ended as far as is known.
 * @throws OtherHostError, MovingMachineError
 */
export async function startedMachine(
  rows: Rows,
  hosts: DiskHosts,
  machineId: string,
): Promise<MachineRow | undefined> {
  const row = await rows.load(machineId)
  if (!row || isAtRest(row) || row.started_at === null) return undefined
  if (row.destination !== null) {
    throw new MovingMachineError(`the machine ${machineId} is being moved to another host`)
  }
  if (hosts.has(row.host)) return row
  throw new OtherHostError(
    `the machine ${machineId} runs on the host ${row.host}, and only a server there can use its disks`,
  )
}

/** The target of a volume in the domain of a machine, as `vda`; undefined if it has none. */
export function targetOf(rows: Rows, row: MachineRow, volumeId: string): string | undefined {
  const { volumes } = rows.spec(row)
  const index = volumes.findIndex(({ id }) => id === volumeId)
  return index === -1 ? undefined : diskTarget(volumes[index]!, index)
}

/** Moves the disks of the machines of a host to other layers. */
export interface DiskSwitch {
  /** Whether a machine has its volumes open; one that starts may open them at any moment. */
  stateOf: (machineId: string) => Promise<'off' | 'starting' | 'running' | 'moving'>
  /**
   * Makes the guest of a machine write to other layers from one moment on.
   * @param overlays volume → path of an empty layer on top of the present one
   * @param quiesce whether its agent freezes its file systems meanwhile, if it answers
   * @returns undefined if the machine does not run
   * @throws OtherHostError, MovingMachineError
   */
  switchDisks: (
    machineId: string,
    overlays: ReadonlyMap<string, string>,
    quiesce: boolean,
  ) => Promise<TakenSnapshot | undefined>
  /**
   * Enlarges the layer to which the guest of a machine writes, and tells the guest.
   * @param size bytes
   * @returns false if the machine does not run
   * @throws OtherHostError, MovingMachineError
   */
  growDisk: (machineId: string, volumeId: string, size: number) => Promise<boolean>
}

/**
 * @param agents needed to freeze file systems
 */
export function createDiskSwitch(rows: Rows, hosts: DiskHosts, agents?: Agents): DiskSwitch {
  /** The description of the change; undefined if the machine has none of the disks. */
  const description = (
    row: MachineRow,
    overlays: ReadonlyMap<string, string>,
  ): string | undefined => {
    const { volumes } = rows.spec(row)
    if (!volumes.some(({ id }) => overlays.has(id))) return undefined
    const disks = volumes.map((volume, index) => {
      const { id } = volume
      const name = diskTarget(volume, index)
      const overlay = overlays.get(id)
      if (overlay === undefined) return element('disk', { name, snapshot: 'no' })
      return element(
        'disk',
        { name, snapshot: 'external', type: 'file' },
        element('driver', { type: 'qcow2' }),
        element('source', { file: overlay }),
      )
    })
    return element(
      'domainsnapshot',
      {},
      element('disks', {}, disks, element('disk', { name: SEED_TARGET, snapshot: 'no' })),
    ).xml
  }

  const started = (machineId: string) => startedMachine(rows, hosts, machineId)

  return {
    async stateOf(machineId) {
      const row = await rows.load(machineId)
      // A volume is attached before its machine is known.
      if (!row) return 'starting'
      if (isAtRest(row) || row.wanted === 'destroy') return 'off'
      if (row.started_at === null) return 'starting'
      return row.destination === null ? 'running' : 'moving'
    },

    async growDisk(machineId, volumeId, size) {
      const row = await started(machineId)
      if (!row) return false
      const { libvirt: its } = await hosts.of(row.host)
      if (!isActive(await its.status(machineId))) return false
      const target = targetOf(rows, row, volumeId)
      if (target === undefined) return false
      await its.resizeDisk(machineId, target, size)
      return true
    },

    async switchDisks(machineId, overlays, quiesce) {
      const row = await started(machineId)
      if (!row) return undefined
      const { libvirt: its } = await hosts.of(row.host)
      const xml = await its.xml(machineId)
      if (xml === undefined || !isActive(await its.status(machineId))) return undefined
      const ahead = [...overlays].filter(([, path]) => !isSource(xml, path))
      // A crash of the server came after the change; whether file systems were frozen is not known.
      if (ahead.length === 0) return { consistency: 'crash_consistent' }
      const change = description(row, new Map(ahead))
      if (change === undefined) return undefined
      const move = () => its.switchDisks(machineId, change)
      if (!agents || !quiesce || !hasAgent(xml)) {
        await move()
        return { consistency: 'crash_consistent' }
      }
      // Not by libvirt's own call for both: it holds up the power button while the agent is asked.
      const frozen = await agents.whileFrozen(its, machineId, move)
      return { consistency: frozen ? 'consistent' : 'crash_consistent' }
    },
  }
}

/**
 * The disks of machines, for snapshots and growth. A machine is not started meanwhile, so that it
 * opens either the layer from which it is then moved, or the one to which its volume has moved. It
 * can be stopped.
 * @param starts the starts of machines
 */
export const createDomainDisks = (
  { switchDisks, growDisk }: DiskSwitch,
  { serialize }: Pick<KeyedQueue, 'serialize'>,
): DomainDisks => ({
  snapshotDisk: (machineId, volumeId, overlay) =>
    serialize(machineId, () => switchDisks(machineId, new Map([[volumeId, overlay]]), true)),
  growDisk: (machineId, volumeId, size, otherwise) =>
    serialize(machineId, async () => {
      if (!(await growDisk(machineId, volumeId, size))) await otherwise()
    }),
})
