import { InstanceState } from '../../compute/instances/states.ts'
import { boolean, list, Name, record, string, uint64, uuid } from '../../schema.ts'
import { PhysicalDiskCondition, SledCondition } from '../overview/schemas.ts'

const InstanceLight = record('InstanceLight', {
  id: uuid,
  name: Name,
  state: InstanceState,
  project: Name,
  silo: Name,
})

const PhysicalDiskLight = record('PhysicalDiskLight', {
  id: uuid,
  /** Serial number. */
  name: string,
  condition: PhysicalDiskCondition,
})

/** A sled, or a project of the silo. */
const LightUnit = record('LightUnit', {
  id: uuid,
  /** Serial number of the sled, or name of the project. */
  name: string,
  /** Of the sled; null for a project. */
  rack_id: uuid.nullable(),
  condition: SledCondition.nullable(),
  maintenance: boolean,
  /** The oldest first. */
  instances: list(InstanceLight),
  /** In the order of their slots; none for a project. */
  disks: list(PhysicalDiskLight),
  /** Instances and disks that are not listed. */
  more: uint64,
})

export const Lights = record('Lights', {
  /** Sleds in the order of their racks and slots, or projects by name. */
  units: list(LightUnit),
  /** Units that are not listed. */
  more: uint64,
})
