import { plain, type Probes } from './probe.ts'

const nobodysJob = { args: () => ({ params: { job: crypto.randomUUID() } }), passes: 404 }

export const jobsProbes = {
  // A job belongs to its user; the tests of jobs check that.
  job_create: {
    args: () => ({ body: { action: 'delete', kind: 'project', target: { type: 'ids', ids: [] } } }),
    passes: 400,
  },
  job_list: plain,
  job_view: nobodysJob,
  job_item_list: nobodysJob,
  job_start: nobodysJob,
  job_cancel: nobodysJob,
  job_retry: nobodysJob,
  job_delete: nobodysJob,
} satisfies Partial<Probes>
