import { reaches, smallInstance } from '../things.ts'
import { plain, type Probes } from './probe.ts'
import { fresh, parents, server } from './world.ts'

/** The first thing of a table. */
async function first(table: 'rack' | 'rack_switch' | 'sled' | 'physical_disk'): Promise<string> {
  const { id } = await server.db
    .selectFrom(table)
    .select('id')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  return id
}
/** The serial number of a disk that the other calls do not need. */
async function diskSerial(): Promise<string> {
  const { serial } = await server.db
    .selectFrom('simulated_disk')
    .select('serial')
    .orderBy('serial', 'desc')
    .executeTakeFirstOrThrow()
  return serial
}
/** Expunged already, so another expunge does nothing. */
async function expungedSled(): Promise<string> {
  const { id } = await server.db
    .selectFrom('sled')
    .select('id')
    .orderBy('slot', 'desc')
    .executeTakeFirstOrThrow()
  return id
}
const request = () => ({ vendor: 'v', model: 'm', serial: fresh() })
const member = { part: '913-0000019', serial: 'BRM-0001' }
const aboutRack = { args: async () => ({ params: { rack_id: await first('rack') } }) }
const aboutSled = { args: async () => ({ params: { sled_id: await first('sled') } }) }

const maintenance = { reason: 'New fans', unmovable: 'leave' as const }
/** A sled without instances, which is in maintenance from now on. */
const inMaintenance = {
  async args() {
    const { id } = await server.db
      .selectFrom('sled')
      .select('id')
      .orderBy('slot')
      .offset(2)
      .limit(1)
      .executeTakeFirstOrThrow()
    const params = { sled_id: id }
    const known = await server.db
      .selectFrom('sled_maintenance')
      .select('id')
      .where('sled_id', '=', id)
      .executeTakeFirst()
    if (!known) await server.admin.call('sled_maintenance_begin', { params, body: maintenance })
    return { params }
  },
}
/** An instance that runs, and its sled. */
async function runningInstance(): Promise<{ sled_id: string; instance_id: string }> {
  const found = await server.db
    .selectFrom('instance')
    .select(['id as instance_id', 'sled_id'])
    .where('run_state', '=', 'running')
    .where('name', '=', 'runner')
    .executeTakeFirst()
  if (found?.sled_id) return { ...found, sled_id: found.sled_id }
  const { id } = await server.admin.call('instance_create', {
    query: parents,
    body: smallInstance('runner', { network_interfaces: { type: 'none' }, start: true }),
  })
  await reaches(server.admin, id, 'running')
  return runningInstance()
}

export const hardwareProbes = {
  rack_list: plain,
  rack_view: aboutRack,
  rack_membership_status: aboutRack,
  // The sled is already a member, and no change is in progress.
  rack_membership_add_sleds: {
    args: async () => ({
      ...(await aboutRack.args()),
      body: { sled_ids: [{ part_number: member.part, serial_number: member.serial }] },
    }),
    passes: 400,
  },
  rack_membership_abort: { ...aboutRack, passes: 409 },
  sled_list_uninitialized: plain,
  sled_add: { args: () => ({ body: member }), passes: 400 },
  sled_set_provision_policy: {
    args: async () => ({ ...(await aboutSled.args()), body: { state: 'provisionable' as const } }),
  },
  sled_maintenance_view: inMaintenance,
  sled_maintenance_status: inMaintenance,
  sled_maintenance_preview: aboutSled,
  sled_maintenance_begin: {
    args: async () => ({ ...(await inMaintenance.args()), body: maintenance }),
    passes: 409,
  },
  sled_maintenance_update: {
    args: async () => ({ ...(await inMaintenance.args()), body: maintenance }),
  },
  sled_maintenance_pause: inMaintenance,
  sled_maintenance_resume: inMaintenance,
  sled_maintenance_end: inMaintenance,
  instance_destination_list: { args: async () => ({ params: await runningInstance() }) },
  // The instance is on that sled already.
  instance_move: {
    async args() {
      const params = await runningInstance()
      return { params, body: { sled_id: params.sled_id } }
    },
    passes: 507,
  },
  // The instance does not move.
  instance_move_cancel: {
    args: async () => ({ params: await runningInstance() }),
    passes: 409,
  },
  instance_move_list: aboutSled,
  sled_lights: { args: async () => ({ query: { sled: await first('sled') } }) },
  sled_expunge_preview: aboutSled,
  sled_expunge: { args: async () => ({ params: { sled_id: await expungedSled() } }) },
  physical_disk_expunge: {
    args: async () => ({ params: { disk_id: await first('physical_disk') } }),
  },
  disk_replica_summary: plain,
  physical_disk_list_unadopted: plain,
  physical_disk_list_adoption_requests: plain,
  physical_disk_enable_adoption: { args: () => ({ body: request() }) },
  physical_disk_disable_adoption: {
    args: async () => {
      const { id } = await server.admin.call('physical_disk_enable_adoption', { body: request() })
      return { params: { physical_disk_adoption_req_id: id } }
    },
  },
  simulated_sled_set_power: {
    args: () => ({ params: { serial: 'BRM-0001' }, body: { on: true } }),
  },
  simulated_sled_recover: { args: () => ({ params: { serial: 'BRM-0001' } }) },
  simulated_sled_insert: plain,
  simulation_view: plain,
  simulated_power_supply_update: {
    args: () => ({ params: { slot: 1 }, body: { present: true } }),
  },
  simulated_uplink_update: {
    args: () => ({ params: { switch_slot: 'switch0', end: '192.0.2.1' }, body: { up: true } }),
  },
  simulated_disk_set_health: {
    args: async () => ({ params: { serial: await diskSerial() }, body: { healthy: true } }),
  },
  simulated_disk_replace: {
    args: async () => ({ params: { serial: await diskSerial() } }),
  },
  switch_list: plain,
  switch_details_list: plain,
  switch_view: { args: async () => ({ params: { switch_id: await first('rack_switch') } }) },
  sled_list: plain,
  sled_search: plain,
  sled_view: aboutSled,
  sled_details_view: aboutSled,
  sled_host_view: aboutSled,
  sled_instance_list: aboutSled,
  sled_physical_disk_list: aboutSled,
  physical_disk_list: plain,
  physical_disk_search: plain,
  physical_disk_view: {
    args: async () => ({ params: { disk_id: await first('physical_disk') } }),
  },
} satisfies Partial<Probes>
