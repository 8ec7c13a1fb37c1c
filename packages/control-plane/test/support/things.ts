/** Bodies and waits that many tests need. */
import type { Wire } from '@steading/api'
import { GiB, type InstanceState } from '@steading/api/rules'
import { expect, vi } from 'vitest'
import type { Db } from '../../src/kernel/db/database.ts'
import type { Caller } from './caller.ts'

export const blankDisk = (name: string, values: object = {}) => ({
  name,
  description: '',
  size: GiB,
  disk_backend: { type: 'distributed', disk_source: { type: 'blank', block_size: 512 } },
  ...values,
})

/** A small instance that is not started. */
export const smallInstance = (name: string, values: object = {}) => ({
  name,
  description: '',
  hostname: name,
  ncpus: 1,
  memory: GiB,
  start: false,
  ...values,
})

/** A firewall rule, which lets everything in that other values do not restrict. */
export const firewallRule = (
  name: string,
  values: Partial<Wire.VpcFirewallRuleUpdate> = {},
): Wire.VpcFirewallRuleUpdate => ({
  name,
  description: '',
  status: 'enabled',
  direction: 'inbound',
  action: 'allow',
  priority: 100,
  targets: [{ type: 'vpc', value: 'default' }],
  filters: {},
  ...values,
})

/** Filters of TCP to a port, perhaps from one sort of hosts. */
export const tcpTo = (
  port: string,
  from?: Wire.VpcFirewallRuleHostFilter,
): Wire.VpcFirewallRuleFilter => ({
  protocols: [{ type: 'tcp' }],
  ports: [port],
  ...(from && { hosts: [from] }),
})

export const sshKeyBody = (name: string) => ({ name, description: '', public_key: 'ssh-ed25519 A' })

/** Of an affinity or anti-affinity group. */
export const affinityBody = (name: string) => ({
  name,
  description: '',
  policy: 'allow' as const,
  failure_domain: 'sled' as const,
})

/** A body for `instance_update` that changes nothing. */
export const unchanged = (instance: Wire.Instance): Wire.InstanceUpdate => ({
  ncpus: instance.ncpus,
  memory: instance.memory,
  boot_disk: instance.boot_disk_id ?? null,
  auto_restart_policy: instance.auto_restart_policy ?? null,
  cpu_platform: instance.cpu_platform ?? null,
  enable_jumbo_frames: instance.enable_jumbo_frames,
  multicast_groups: null,
})

/** Sets the policy of the silo so that a deletion is for good, and frees its bytes at once. */
export const keepNothing = (caller: Caller): Promise<unknown> =>
  caller.call('deletion_policy_update', { body: { restorable_hours: 0 } })

/**
 * Retries until the answer is as expected; the time limit of the test ends a wait in vain.
 * @param interval milliseconds between two questions
 * @param timeout milliseconds until a wait counts as in vain
 */
export const until = <T>(
  ask: () => Promise<T>,
  check: (answer: T) => void,
  interval = 10,
  timeout = 120_000,
): Promise<T> =>
  vi.waitFor(
    async () => {
      const answer = await ask()
      check(answer)
      return answer
    },
    { timeout, interval },
  )

/** Waits until an instance is in a state. */
export const reaches = (caller: Caller, id: string, state: InstanceState): Promise<Wire.Instance> =>
  until(
    () => caller.call('instance_view', { params: { instance: id } }),
    ({ run_state }) => expect(run_state).toBe(state),
  )

/**
 * Writes the state of an instance without a machine. A running step of the reconciler loses its
 * fence, because it would look for the machine.
 */
export const forceState = (
  { db }: { db: Db },
  id: string,
  run_state: InstanceState,
): Promise<unknown> =>
  db
    .updateTable('instance')
    .set((eb) => ({
      run_state,
      reconcile_at: null,
      lease_until: null,
      fence: eb('fence', '+', 1),
    }))
    .where('id', '=', id)
    .execute()

type Query = { project: string }

/** Creates an instance and waits until it exists; a create may answer before. */
export async function stoppedInstance(
  caller: Caller,
  query: Query,
  name: string,
  values: object = {},
): Promise<Wire.Instance> {
  const body = smallInstance(name, values)
  const { id } = await caller.call('instance_create', { query, body })
  return reaches(caller, id, 'stopped')
}

/** Creates a disk and waits until it exists; a create may answer before. */
export async function detachedDisk(
  caller: Caller,
  query: Query,
  name: string,
  values: object = {},
): Promise<Wire.Disk> {
  const body = blankDisk(name, values)
  const { id } = await caller.call('disk_create', { query, body })
  return until(
    () => caller.call('disk_view', { params: { disk: id } }),
    ({ state }) => expect(state.state).toBe('detached'),
  )
}

/** A silo with room for a few instances. */
export const siloBody = (name: string, values: Partial<Wire.SiloCreate> = {}): Wire.SiloCreate => ({
  name,
  description: '',
  identity_mode: 'local_only',
  discoverable: true,
  quotas: { cpus: 16, memory: 64 * GiB, storage: 1024 * GiB },
  tls_certificates: [],
  mapped_fleet_roles: {},
  ...values,
})
