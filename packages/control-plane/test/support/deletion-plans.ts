/** Plans of deletions: tests make them and carry them out. */
import type { DeletionStep, JobTargetKind } from '@steading/api/rules'
import { expect, vi } from 'vitest'
import { loadUser } from '../../src/kernel/authz/actor.ts'
import type { PlannedStep } from '../../src/kernel/job-steps.ts'
import { type DeletionWishes, planDeletion } from '../../src/resources/workspace/deletion/plan.ts'
import type { Caller } from './caller.ts'
import type { TestServer } from './harness.ts'
import { reaches } from './things.ts'
import { remove } from './worlds.ts'

export const actorOf = async ({ db }: TestServer, { id }: { id: string }) =>
  (await loadUser(db, id))!

export async function planAs(
  server: TestServer,
  user: { id: string },
  kind: JobTargetKind,
  targets: { id: string }[],
  wishes?: DeletionWishes,
): Promise<PlannedStep[]> {
  return planDeletion(server.db, await actorOf(server, user), kind, targets, wishes)
}

/** A step in a line, with the reason if it is refused. */
export const short = ({ step, stage, thing, refusal }: PlannedStep) =>
  `${stage} ${step} ${thing.kind} ${thing.name}${refusal === undefined ? '' : `: ${refusal}`}`

const detached = ({ admin }: TestServer, disk: string) =>
  vi.waitFor(
    async () => {
      const { state } = await admin.call('disk_view', { params: { disk } })
      expect(state.state).toBe('detached')
    },
    { timeout: 120_000, interval: 10 },
  )

async function take(
  server: TestServer,
  caller: Caller,
  { step, thing }: PlannedStep,
): Promise<void> {
  const { kind, id } = thing
  const disk = { params: { disk: id } }
  // The worlds have no pools to empty.
  const steps: Partial<Record<DeletionStep | 'delete', () => Promise<unknown>>> = {
    stop: async () => {
      await caller.call('instance_stop', { params: { instance: id } })
      await reaches(server.admin, id, 'stopped')
    },
    stop_import: () => caller.call('disk_bulk_write_import_stop', disk),
    finalize: async () => {
      await caller.call('disk_finalize_import', { ...disk, body: {} })
      await detached(server, id)
    },
    unset_boot_disk: async () => {
      const { ncpus, memory, cpu_platform, auto_restart_policy } = await caller.call(
        'instance_view',
        { params: { instance: id } },
      )
      await caller.call('instance_update', {
        params: { instance: id },
        body: {
          ncpus,
          memory,
          cpu_platform: cpu_platform ?? null,
          auto_restart_policy: auto_restart_policy ?? null,
          enable_jumbo_frames: false,
          boot_disk: null,
        },
      })
    },
    detach: async () => {
      if (kind === 'floating_ip') {
        return caller.call('floating_ip_detach', { params: { floating_ip: id } })
      }
      if (kind === 'external_subnet') {
        return caller.call('external_subnet_detach', { params: { external_subnet: id } })
      }
      const { state } = await caller.call('disk_view', disk)
      const { instance } = state as { instance: string }
      return caller.call('instance_disk_detach', { params: { instance }, body: { disk: id } })
    },
    delete: () => remove(caller, thing),
  }
  await steps[step as DeletionStep | 'delete']!()
}

/** Carries out the permitted steps of a plan, one stage after the other, each stage in parallel. */
export async function execute(
  server: TestServer,
  caller: Caller,
  plan: PlannedStep[],
): Promise<void> {
  const stages = [...new Set(plan.map(({ stage }) => stage))]
  expect(stages).toEqual(stages.map((_, i) => i))
  for (const stage of stages) {
    const steps = plan.filter((step) => step.stage === stage && step.refusal === undefined)
    await Promise.all(steps.map((step) => take(server, caller, step)))
  }
}
