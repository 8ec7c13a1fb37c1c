import type { OperationId } from '@steading/api'
import { affinityBody } from '../things.ts'
import type { Probes } from './probe.ts'
import { fresh, freshInstance, parents, server } from './world.ts'

/** The calls of one kind of group; the two kinds differ in the name of a parameter. */
function groupProbes<Kind extends 'affinity_group' | 'anti_affinity_group'>(kind: Kind) {
  const named = (group: string, rest: object = {}) => ({
    params: { [kind]: group, ...rest },
    query: parents,
  })
  const make = async () => {
    const name = fresh()
    await server.admin.call(`${kind}_create`, { query: parents, body: affinityBody(name) } as never)
    return name
  }
  const member = named('cluster', { instance: 'box' })
  const made = {
    [`${kind}_list`]: { args: () => ({ query: parents }) },
    [`${kind}_create`]: { args: () => ({ query: parents, body: affinityBody(fresh()) }) },
    [`${kind}_view`]: { args: () => named('cluster') },
    [`${kind}_update`]: { args: () => ({ ...named('cluster'), body: { description: fresh() } }) },
    [`${kind}_delete`]: { args: async () => named(await make()) },
    [`${kind}_member_list`]: { args: () => named('cluster') },
    [`${kind}_member_instance_view`]: { args: () => member },
    [`${kind}_member_instance_add`]: {
      args: async () => named(await make(), { instance: await freshInstance() }),
    },
    [`${kind}_member_instance_delete`]: {
      async args() {
        const args = named(await make(), { instance: await freshInstance() })
        await server.admin.call(`${kind}_member_instance_add`, args as never)
        return args
      },
    },
  }
  return made as unknown as Pick<Probes, Extract<OperationId, `${Kind}_${string}`>>
}

export const affinityProbes = {
  ...groupProbes('affinity_group'),
  ...groupProbes('anti_affinity_group'),
  affinity_group_search: { args: () => ({ query: parents }) },
  anti_affinity_group_search: { args: () => ({ query: parents }) },
} satisfies Partial<Probes>
