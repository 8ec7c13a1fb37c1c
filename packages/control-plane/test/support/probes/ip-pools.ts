import { plain, type Probes } from './probe.ts'

export const ipPoolsProbes = {
  ip_pool_list: plain,
  ip_pool_view: { args: () => ({ params: { pool: 'default' } }) },
} satisfies Partial<Probes>
