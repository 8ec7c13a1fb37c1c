import { addHostRow } from '../hosts.ts'
import { plain, type Probes } from './probe.ts'
import { fresh, server } from './world.ts'

const address = () => `qemu+ssh://root@nowhere-${fresh()}/system`
const aboutOne = async () => ({
  params: { host_id: (await addHostRow(server.db, { state: 'refused' })).id },
})
const powerSwitch = {
  method: 'redfish',
  automatic: false,
  address: 'nowhere',
  user: 'admin',
  password: 'secret',
} as const
/** A host in service, which no sled is behind, with a power switch that does not exist. */
const withPowerSwitch = async () => {
  const { id } = await addHostRow(server.db, { state: 'in_service' })
  const params = { host_id: id }
  await server.admin.call('host_fencing_update', { params, body: powerSwitch })
  return { params }
}

export const hostsProbes = {
  host_search: plain,
  host_create: { args: () => ({ body: { address: address() } }) },
  host_view: { args: aboutOne },
  host_update: { args: async () => ({ ...(await aboutOne()), body: { address: address() } }) },
  host_check: { args: aboutOne },
  host_delete: { args: aboutOne },
  host_fence: { args: withPowerSwitch },
  host_story: { args: aboutOne },
  host_fencing_view: { args: aboutOne },
  host_fencing_update: { args: async () => ({ ...(await aboutOne()), body: powerSwitch }) },
  host_fencing_remove: { args: aboutOne },
  host_fencing_check: { args: withPowerSwitch },
} satisfies Partial<Probes>
