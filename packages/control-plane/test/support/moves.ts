/** Instances on sleds, for the tests of moves and of maintenance. */
import type { Wire } from '@steading/api'
import { expect } from 'vitest'
import type { Caller } from './caller.ts'
import type { TestServer } from './harness.ts'
import { reaches, smallInstance, until } from './things.ts'
import { aroundNow } from './times.ts'

/** Of a lease, and between its renewals; milliseconds. */
const LEASE_MS = 9_000
const RENEW_MS = 500

const idsOf = (instances: readonly { id: string }[]) => instances.map(({ id }) => id)

/** Makes instances members of a group, also while they run. */
export const addMembers = (
  { db }: TestServer,
  group: { id: string },
  instances: readonly { id: string }[],
): Promise<unknown> =>
  db
    .insertInto('affinity_group_member')
    .values(instances.map(({ id }) => ({ group_id: group.id, instance_id: id })))
    .execute()

export function movesOf({ db, admin, host }: TestServer, query: { project: string }) {
  let count = 0
  const sleds = async () => (await admin.call('sled_search')).items
  const sledById = async (id: string) => (await sleds()).find((sled) => sled.id === id)!
  const setPolicy = ({ id }: { id: string }, state: Wire.SledProvisionPolicy) =>
    admin.call('sled_set_provision_policy', { params: { sled_id: id }, body: { state } })

  let held: ReturnType<typeof setInterval> | undefined
  let renewing: Promise<unknown> = Promise.resolve()
  const lease = (instances: readonly { id: string }[]) =>
    db
      .updateTable('instance')
      .set((eb) => ({ lease_until: aroundNow(LEASE_MS).getTime(), fence: eb('fence', '+', 1) }))
      .where('id', 'in', idsOf(instances))
      .execute()
  /** Keeps instances as they are, as if another server took a step of each. */
  async function hold(...instances: { id: string }[]): Promise<void> {
    await lease(instances)
    held = setInterval(() => (renewing = lease(instances)), RENEW_MS)
  }

  return {
    sleds,
    sledById,
    setPolicy,
    /** An instance that runs on a sled. */
    async runningOn(sled: { id: string }, values: object = {}): Promise<Wire.Instance> {
      const others = (await sleds()).filter(
        ({ id, policy }) =>
          id !== sled.id &&
          policy.kind === 'in_service' &&
          policy.provision_policy === 'provisionable',
      )
      for (const other of others) await setPolicy(other, 'non_provisionable')
      const { id } = await admin.call('instance_create', {
        query,
        body: smallInstance(`box-${count++}`, {
          network_interfaces: { type: 'none' },
          start: true,
          ...values,
        }),
      })
      const instance = await reaches(admin, id, 'running')
      for (const other of others) await setPolicy(other, 'provisionable')
      return instance
    },
    sledOf: async ({ id }: { id: string }): Promise<string | undefined> =>
      (await admin.call('instance_sled_view', { params: { instance: id } })).sled?.id,
    hold,
    async letGo(...instances: { id: string }[]): Promise<void> {
      clearInterval(held)
      await renewing
      await db
        .updateTable('instance')
        .set({ lease_until: null, reconcile_at: new Date(0).toISOString() })
        .where('id', 'in', idsOf(instances))
        .execute()
      // A wake-up about a machine wakes the reconciler, which then finds these due.
      await host.controlPlane.engines.machines.lost(crypto.randomUUID())
    },
    /** The use of sleds is the sum of their instances, at any moment: one statement reads both. */
    async expectSums(): Promise<void> {
      const used = await db
        .selectFrom('sled')
        .select((eb) => [
          'used_threads',
          eb
            .selectFrom('instance')
            .select(({ fn }) => fn.coalesce(fn.sum<number>('ncpus'), eb.lit(0)).as('sum'))
            .whereRef('instance.sled_id', '=', 'sled.id')
            .as('here'),
          eb
            .selectFrom('instance')
            .select(({ fn }) => fn.coalesce(fn.sum<number>('ncpus'), eb.lit(0)).as('sum'))
            .whereRef('instance.destination_sled_id', '=', 'sled.id')
            .as('coming'),
        ])
        .execute()
      for (const { used_threads, here, coming } of used) {
        expect(Number(here) + Number(coming)).toBe(used_threads)
      }
    },
  }
}

/** Waits until the newest move of an instance has ended. */
export const lastMove = (caller: Caller, { id }: { id: string }): Promise<Wire.InstanceMove> =>
  until(
    async () => (await caller.call('instance_sled_view', { params: { instance: id } })).move!,
    (move) => expect(move?.time_finished).toBeTruthy(),
  )
