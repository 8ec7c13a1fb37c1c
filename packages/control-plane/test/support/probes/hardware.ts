import { plain, type Probes } from './probe.ts'
import { server } from './world.ts'

/** The first thing of a table. */
async function first(table: 'rack' | 'rack_switch' | 'sled' | 'physical_disk'): Promise<string> {
  const { id } = await server.db
    .selectFrom(table)
    .select('id')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  return id
}
const aboutRack = { args: async () => ({ params: { rack_id: await first('rack') } }) }
const aboutSled = { args: async () => ({ params: { sled_id: await first('sled') } }) }

export const hardwareProbes = {
  rack_list: plain,
  rack_view: aboutRack,
  switch_list: plain,
  switch_details_list: plain,
  switch_view: { args: async () => ({ params: { switch_id: await first('rack_switch') } }) },
  sled_list: plain,
  sled_search: plain,
  sled_view: aboutSled,
  sled_details_view: aboutSled,
  sled_instance_list: aboutSled,
  sled_physical_disk_list: aboutSled,
  physical_disk_list: plain,
  physical_disk_search: plain,
  physical_disk_view: {
    args: async () => ({ params: { disk_id: await first('physical_disk') } }),
  },
} satisfies Partial<Probes>
