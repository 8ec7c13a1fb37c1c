import type { ControlPlane } from '@steading/control-plane'
import type { SimulatedEngines } from '@steading/simulator'
import { grantRoles, accessMoments } from './access.ts'
import { affinityMoments } from './affinity.ts'
import { alertMoments } from './alerts.ts'
import { alertRuleMoments } from './alert-rules.ts'
import { scheduleMoments } from './schedules.ts'
import { templateMoments } from './templates.ts'
import { deletionMoments } from './deletions.ts'
import { dashboardMoments } from './dashboards.ts'
import { certificateMoments } from './certificates.ts'
import type { DemoClock } from './clock.ts'
import { createCloud, must } from './cloud.ts'
import { computeMoments } from './compute.ts'
import { multicastMoments } from './multicast.ts'
import { networkMoments } from './networking.ts'
import { PASSWORD, people } from './people.ts'
import { projects } from './projects.ts'
import { rackMoments } from './rack.ts'
import { siloMoments } from './silos.ts'
import { storageMoments } from './storage.ts'
import { tagMoments } from './tags.ts'
import { versionMoments } from './versions.ts'
import { tokenMoments } from './tokens.ts'
import { live, type Moment } from './timeline.ts'
import { updateMoments } from './updates.ts'
import { uplinkMoments } from './uplinks.ts'
import { recordUsage, usageMoments } from './usage.ts'
import { rememberUse } from './use.ts'

const projectMoments: Moment[] = projects.flatMap((project) => [
  {
    daysAgo: project.daysAgo,
    happen: async ({ api }) => {
      const { name, description } = project
      must(await api.projectCreate({ body: { name, description } }))
    },
  },
  { daysAgo: 1, happen: (cloud) => grantRoles(cloud, project) },
])

/**
 * Sets up a cloud with half a year of history: everything is created through the API where
 * possible, at its own time. Machine transitions should be instant meanwhile.
 */
export async function seed(
  controlPlane: ControlPlane<SimulatedEngines>,
  clock: DemoClock,
  origin: string,
): Promise<void> {
  const [admin] = people
  clock.set(new Date(clock.present.getTime() - (admin.daysAgo + 1) * 24 * 60 * 60 * 1000))
  await controlPlane.bootstrap({ adminPassword: PASSWORD })
  await controlPlane.start()
  const { db } = controlPlane.database
  const { id } = await db.selectFrom('silo_user').select('id').executeTakeFirstOrThrow()
  const cloud = createCloud(controlPlane, clock, origin, id)
  await live(cloud, [
    ...accessMoments,
    ...siloMoments,
    ...certificateMoments,
    ...alertMoments,
    ...projectMoments,
    ...tokenMoments,
    ...affinityMoments,
    ...storageMoments,
    ...computeMoments,
    ...networkMoments,
    ...uplinkMoments,
    ...rackMoments,
    ...updateMoments,
    ...multicastMoments,
    ...alertRuleMoments,
    ...scheduleMoments,
    ...templateMoments,
    ...dashboardMoments,
    ...tagMoments,
    ...versionMoments,
    ...usageMoments,
    ...deletionMoments,
  ])
  clock.set(clock.present)
  await db.deleteFrom('console_session').execute()
  await rememberUse(cloud)
  await recordUsage(cloud)
  // The load of the last hour, for overviews.
  await controlPlane.collect()
  // The bell rings for the present issues.
  await controlPlane.notify()
}
