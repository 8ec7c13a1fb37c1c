import { scheduleBody } from '../schedules.ts'
import type { Probes } from './probe.ts'
import { fresh, ids, parents, server } from './world.ts'

const body = () => scheduleBody({ name: fresh(), disks: ['data'] })
const made = async () => ({
  params: {
    schedule: (await server.admin.call('schedule_create', { query: parents, body: body() })).name,
  },
  query: parents,
})
/** A schedule that has run: its only target was attached, and so can be snapshotted. */
const run = async () => {
  const { params, query } = await made()
  const { id } = await server.admin.call('schedule_run', { params, query })
  return { params: { ...params, run: id }, query }
}

export const schedulesProbes = {
  schedule_search: { args: () => ({ query: parents }) },
  schedule_create: { args: () => ({ query: parents, body: body() }), bodyNames: true },
  schedule_view: { args: made },
  schedule_update: {
    args: async () => ({ ...(await made()), body: { enabled: false } }),
    about: ['schedule'],
  },
  schedule_delete: { args: made },
  schedule_run: { args: made },
  schedule_target_list: { args: made },
  schedule_run_list: { args: made },
  schedule_run_view: { args: run },
  covering_schedule_list: {
    'an instance': { args: () => ({ query: { instance: ids.box } }), about: ['instance'] },
    'a disk': { args: () => ({ query: { disk: ids.data } }), about: ['disk'] },
  },
} satisfies Partial<Probes>
