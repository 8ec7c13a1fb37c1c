import { addHostRow } from '../hosts.ts'
import { plain, type Probes } from './probe.ts'
import { fresh, server } from './world.ts'

const address = () => `qemu+ssh://root@nowhere-${fresh()}/system`
const aboutOne = async () => ({
  params: { host_id: (await addHostRow(server.db, { state: 'refused' })).id },
})

export const hostsProbes = {
  host_search: plain,
  host_create: { args: () => ({ body: { address: address() } }) },
  host_view: { args: aboutOne },
  host_update: { args: async () => ({ ...(await aboutOne()), body: { address: address() } }) },
  host_check: { args: aboutOne },
  host_delete: { args: aboutOne },
} satisfies Partial<Probes>
