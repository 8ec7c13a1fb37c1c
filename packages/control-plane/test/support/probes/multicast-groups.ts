import type { Probes } from './probe.ts'
import { box, fresh, freshInstance, parents, server } from './world.ts'

const group = { params: { multicast_group: 'news' } }

export const multicastGroupsProbes = {
  multicast_group_list: { args: () => ({}) },
  multicast_group_search: { args: () => ({}) },
  multicast_group_view: { args: () => group },
  multicast_group_member_list: { args: () => group },
  multicast_group_member_details_list: { args: () => group },
  instance_multicast_group_list: { args: () => box },
  instance_multicast_group_join: {
    args: async () => ({
      params: { instance: await freshInstance(), multicast_group: 'news' },
      query: parents,
      body: {},
    }),
  },
  instance_multicast_group_leave: {
    async args() {
      const params = { instance: await freshInstance(), multicast_group: fresh() }
      const args = { params, query: parents }
      await server.admin.call('instance_multicast_group_join', { ...args, body: {} })
      return args
    },
  },
} satisfies Partial<Probes>
