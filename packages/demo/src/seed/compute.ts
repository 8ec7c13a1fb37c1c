import type { IpVersion } from '@steading/api/client'
import { GiB } from '@steading/api/rules'
import { stringToBase64 } from 'uint8array-extras'
import { type Cloud, must, nextTurn } from './cloud.ts'
import { type InstanceSeed, instances, packages } from './instances.ts'
import { byName } from './storage.ts'
import type { Moment } from './timeline.ts'

const MINUTE_DAYS = 1 / (24 * 60)

/** Transitional states at the start of the demo, and their remaining time. */
const transitions: Record<'creating' | 'starting' | 'stopping' | 'rebooting', number> = {
  creating: 45_000,
  starting: 30_000,
  stopping: 20_000,
  rebooting: 25_000,
}
/** Milliseconds that they have lasted already; states without an end are slow work. */
const UNDER_WAY = { ending: 4_000, lasting: 380_000 }

const ephemeral = (ipVersion: IpVersion) =>
  ({ type: 'ephemeral', poolSelector: { type: 'auto', ipVersion } }) as const

/** Both addresses are the next free ones. */
function interfacesOf({ network, transitIps = [] }: InstanceSeed) {
  if (!network) return undefined
  const [vpcName, subnetName] = network
  const automatic = { ip: { type: 'auto' } } as const
  const value = { v4: { ...automatic, transitIps }, v6: automatic }
  const ipConfig = { type: 'dual_stack', value } as const
  const params = [{ name: 'net0', description: '', vpcName, subnetName, ipConfig }]
  return { type: 'create', params } as const
}

async function createInstance(cloud: Cloud, instance: InstanceSeed): Promise<void> {
  const { project, name, description, cpus, memory, boot, data } = instance
  const image = await byName(cloud, 'image', instance.image)
  const disk = (kind: string, size: number) =>
    ({ type: 'create', name: `${name}-${kind}`, description: '', size: size * GiB }) as const
  must(
    await cloud.api.instanceCreate({
      query: { project },
      body: {
        name,
        description,
        hostname: name,
        ncpus: cpus,
        memory: memory * GiB,
        bootDisk: {
          ...disk('boot', boot),
          diskBackend: {
            type: 'distributed',
            diskSource: { type: 'image', imageId: image.id },
          },
        },
        disks: data
          ? [
              {
                ...disk('data', data),
                diskBackend: {
                  type: 'distributed',
                  diskSource: { type: 'blank', blockSize: 4096 },
                },
              },
            ]
          : [],
        userData: packages[name]
          ? stringToBase64(`#cloud-config\npackages:\n  - ${packages[name]}\n`)
          : '',
        networkInterfaces: interfacesOf(instance),
        externalIps: instance.ephemeralIp ? (['v4', 'v6'] as const).map(ephemeral) : [],
        antiAffinityGroups: instance.group ? [instance.group] : [],
        autoRestartPolicy: instance.neverRestart ? 'never' : null,
        start: instance.state !== 'creating',
      },
    }),
  )
}

const vmOf = async ({ db }: Cloud, name: string) =>
  (
    await db
      .selectFrom('instance')
      .select('vm_id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
  ).vm_id

/** Kills the host of an instance, so that the reconciler notices. */
async function crash(cloud: Cloud, name: string): Promise<void> {
  await cloud.settled()
  const vm = await vmOf(cloud, name)
  await cloud.controlPlane.engines.machines.crash(vm!)
  while ((await vmOf(cloud, name)) === vm) await nextTurn()
  await cloud.settled()
}

/** Events in the life of an instance. */
function fate({ project, name, state, neverRestart, daysAgo }: InstanceSeed): Moment[] {
  const query = { project }
  const at = (ago: number, happen: Moment['happen']): Moment => ({ daysAgo: ago, happen })
  switch (state) {
    case 'stopped':
      return [
        at(Math.min(daysAgo - 0.1, 0.7), ({ api }) =>
          api.instanceStop({ path: { instance: name }, query }).then(must),
        ),
      ]
    case 'failed':
      // It was restarted once, and now waits for the next attempt.
      return neverRestart
        ? [at(0.2, (cloud) => crash(cloud, name))]
        : [
            at(1.5 * MINUTE_DAYS, (cloud) => crash(cloud, name)),
            at(1 * MINUTE_DAYS, (cloud) => crash(cloud, name)),
          ]
    default:
      return []
  }
}

/** Puts an instance into a transitional state, which the reconciler will complete later. */
type Interrupted = Pick<Cloud, 'db' | 'present'>

async function interrupt(cloud: Interrupted, { name, state }: InstanceSeed): Promise<void> {
  if (!state || state === 'failed' || state === 'stopped') return
  const now = cloud.present.getTime()
  const lasts = state in transitions ? transitions[state as keyof typeof transitions] : undefined
  const underWay = lasts === undefined ? UNDER_WAY.lasting : UNDER_WAY.ending
  const since = new Date(now - underWay).toISOString()
  const reconcile_at = lasts === undefined ? null : new Date(now + lasts).toISOString()
  const { id } = await byName(cloud, 'instance', name)
  await cloud.db
    .updateTable('instance')
    .set({
      run_state: state,
      time_run_state_updated: since,
      reconcile_at,
      start_wanted: state === 'creating' ? 1 : 0,
    })
    .where('id', '=', id)
    .execute()
  if (state !== 'creating') return
  const disks = await cloud.db
    .updateTable('disk')
    .set({ state: 'creating', has_volume: 0, reconcile_at })
    .where('instance_id', '=', id)
    .returning('id')
    .execute()
  for (const disk of disks) await withoutReplicas(cloud, disk.id)
}

/** Takes back the replicas of a disk, which it gets when its creation ends. */
async function withoutReplicas({ db }: Interrupted, diskId: string): Promise<void> {
  const replicas = await db
    .deleteFrom('disk_replica')
    .where('disk_id', '=', diskId)
    .returning(['physical_disk_id', 'size'])
    .execute()
  for (const { physical_disk_id, size } of replicas) {
    await db
      .updateTable('physical_disk')
      .set(({ eb }) => ({ used: eb('used', '-', size) }))
      .where('id', '=', physical_disk_id)
      .execute()
  }
}

/** Instances of the same day are created together, which is faster. */
const created = [...Map.groupBy(instances, ({ daysAgo }) => daysAgo)].map(
  ([daysAgo, together]) => ({
    daysAgo,
    async happen(cloud: Cloud) {
      for (const instance of together) await createInstance(cloud, instance)
    },
  }),
)

export const computeMoments: Moment[] = [...created, ...instances.flatMap(fate)]

/**
 * Starts the changes that are in progress when the page opens. A control plane that runs would end
 * them.
 */
export async function interruptAll(cloud: Interrupted): Promise<void> {
  for (const instance of instances) await interrupt(cloud, instance)
}
