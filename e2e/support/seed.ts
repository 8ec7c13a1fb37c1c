/** Creates the resources that a test needs but is not about. */
import type {
  AffinityGroup,
  AffinityPolicy,
  AntiAffinityGroup,
  ApiClient,
  ApiResult,
  Disk,
  DiskCreate,
  ExternalSubnet,
  FloatingIp,
  Instance,
  InstanceCreate,
  Probe,
  Project,
} from '@steading/api/client'
import { expect } from '@playwright/test'

export const GiB = 1024 ** 3

/** Data of an answer that must be a success. */
export async function ok<T>(answer: Promise<ApiResult<T>>): Promise<T> {
  const result = await answer
  if (result.type === 'success') return result.data
  throw new Error(`the API answered ${result.status}: ${JSON.stringify(result)}`)
}

export interface Seed {
  project: (name: string, description?: string) => Promise<Project>
  disk: (project: string, name: string, body?: Partial<DiskCreate>) => Promise<Disk>
  /** Default: stopped, without disks. */
  instance: (project: string, name: string, body?: Partial<InstanceCreate>) => Promise<Instance>
  /** Default: from the first pool. */
  floatingIp: (project: string, name: string, pool?: string) => Promise<FloatingIp>
  /** From the default pool. */
  externalSubnet: (project: string, name: string, length?: number) => Promise<ExternalSubnet>
  /** On the first sled. */
  probe: (project: string, name: string, description?: string) => Promise<Probe>
  /** An anti-affinity group. */
  group: (project: string, name: string, policy?: AffinityPolicy) => Promise<AntiAffinityGroup>
  affinityGroup: (project: string, name: string, policy?: AffinityPolicy) => Promise<AffinityGroup>
  /** Resolves once the instance is in the state. */
  until: (project: string, instance: string, state: Instance['runState']) => Promise<void>
}

export function seedWith(api: ApiClient): Seed {
  return {
    project: (name, description = '') => ok(api.projectCreate({ body: { name, description } })),
    disk: (project, name, body) =>
      ok(
        api.diskCreate({
          query: { project },
          body: {
            name,
            description: '',
            size: 10 * GiB,
            diskBackend: { type: 'distributed', diskSource: { type: 'blank', blockSize: 4096 } },
            ...body,
          },
        }),
      ),
    instance: (project, name, body) =>
      ok(
        api.instanceCreate({
          query: { project },
          body: {
            name,
            description: '',
            hostname: name,
            ncpus: 2,
            memory: 8 * GiB,
            networkInterfaces: { type: 'none' },
            start: false,
            ...body,
          },
        }),
      ),
    floatingIp: (project, name, pool = 'default') =>
      ok(
        api.floatingIpCreate({
          query: { project },
          body: {
            name,
            description: '',
            addressAllocator: { type: 'auto', poolSelector: { type: 'explicit', pool } },
          },
        }),
      ),
    externalSubnet: (project, name, prefixLength = 28) =>
      ok(
        api.externalSubnetCreate({
          query: { project },
          body: { name, description: '', allocator: { type: 'auto', prefixLength } },
        }),
      ),
    async probe(project, name, description = '') {
      const { items } = await ok(api.sledList({}))
      const sled = items.find(({ policy }) => policy.kind === 'in_service')!
      const body = { name, description, sled: sled.id }
      return ok(api.probeCreate({ query: { project }, body }))
    },
    group: (project, name, policy = 'allow') =>
      ok(
        api.antiAffinityGroupCreate({
          query: { project },
          body: { name, description: '', policy, failureDomain: 'sled' },
        }),
      ),
    affinityGroup: (project, name, policy = 'allow') =>
      ok(
        api.affinityGroupCreate({
          query: { project },
          body: { name, description: '', policy, failureDomain: 'sled' },
        }),
      ),
    until: (project, instance, state) =>
      expect
        .poll(
          async () =>
            (await ok(api.instanceView({ path: { instance }, query: { project } }))).runState,
          { intervals: [50] },
        )
        .toBe(state),
  }
}
