import type { ApiClient } from '@steading/api/client'
import type { Host } from './host.ts'
import { ok } from './seed.ts'

/** Creates a rule that fires for a measured instance (see `measured.ts`). */
export async function addFiringRule(
  api: ApiClient,
  { server }: Host,
  project: string,
  instance: string,
): Promise<void> {
  const { id } = await ok(api.instanceView({ path: { instance }, query: { project } }))
  await ok(
    api.alertRuleCreate({
      query: { project },
      body: {
        name: 'overworked',
        description: 'It runs for two fifths of the time, and more',
        query: `get virtual_machine:vcpu_usage | filter state == "run" && instance_id == "${id}"`,
        comparison: 'above',
        threshold: 2e9,
        duration: 60,
        severity: 'critical',
      },
    }),
  )
  await server.controlPlane.evaluateRules()
}
