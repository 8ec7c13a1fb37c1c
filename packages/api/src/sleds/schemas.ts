import { cpuPlatforms, provisionPolicies, sledStates } from '../rules/hardware.ts'
import { InstanceState } from '../instances/states.ts'
import {
  boolean,
  ByteCount,
  dateTime,
  int64,
  Name,
  named,
  oneOf,
  record,
  resultsPage,
  tagged,
  uint16,
  uint32,
  uuid,
} from '../schema.ts'
import { Baseboard } from '../switches/schemas.ts'

export const SledProvisionPolicy = named('SledProvisionPolicy', oneOf(...provisionPolicies))
export const SledPolicy = named(
  'SledPolicy',
  tagged('kind', { in_service: { provision_policy: SledProvisionPolicy }, expunged: {} }),
)
const SledState = named('SledState', oneOf(...sledStates))

const sledFields = {
  id: uuid,
  baseboard: Baseboard,
  policy: SledPolicy,
  rack_id: uuid,
  slot: uint16.nullable().optional(),
  state: SledState,
  time_created: dateTime,
  time_modified: dateTime,
  usable_hardware_threads: uint32,
  usable_physical_ram: ByteCount,
}
export const Sled = record('Sled', sledFields)
export const SledResultsPage = resultsPage('Sled', Sled)

/** A sled with what is used of it, and whether it responds. */
export const SledDetails = record('SledDetails', {
  ...sledFields,
  /** False for a sled that has failed or is switched off: nothing runs on it. */
  responding: boolean,
  cpu_platform: named('SledCpuPlatform', oneOf(...cpuPlatforms)),
  /** What the instances on it take. */
  used_hardware_threads: uint32,
  used_physical_ram: ByteCount,
  /** Of its disks that store volumes and are in service. */
  usable_storage: ByteCount,
  used_storage: ByteCount,
})

/** An instance that runs on a sled. */
export const SledInstance = record('SledInstance', {
  id: uuid,
  active_sled_id: uuid,
  migration_id: uuid.nullable().optional(),
  name: Name,
  silo_name: Name,
  project_name: Name,
  state: InstanceState,
  ncpus: int64,
  memory: int64,
  time_created: dateTime,
  time_modified: dateTime,
})
export const SledInstanceResultsPage = resultsPage('SledInstance', SledInstance)
