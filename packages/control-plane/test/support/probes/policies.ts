import type { OperationId } from '@steading/api'
import type { CallArgs } from '../caller.ts'
import { plain, type Probe, type Probes } from './probe.ts'
import { parents, server } from './world.ts'

/** Writes the present policy back, so that no role changes. */
const same = <Op extends Extract<OperationId, `${string}policy_update`>>(
  view: Extract<OperationId, `${string}policy_view`>,
  params = {},
): Probe<Op> => ({
  args: async () =>
    ({ params, body: await server.admin.call(view, { params } as never) }) as CallArgs<Op>,
})

export const policiesProbes = {
  system_policy_view: plain,
  system_policy_update: same('system_policy_view'),
  policy_view: plain,
  policy_update: same('policy_view'),
  silo_policy_view: { args: () => ({ params: { silo: 'main' } }) },
  silo_policy_update: same('silo_policy_view', { silo: 'main' }),
  project_policy_view: { args: () => ({ params: parents }) },
  project_policy_update: same('project_policy_view', parents),
} satisfies Partial<Probes>
