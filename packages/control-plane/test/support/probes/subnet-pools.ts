import { plain, type Probes } from './probe.ts'

export const subnetPoolsProbes = {
  subnet_pool_list: plain,
  subnet_pool_view: { args: () => ({ params: { pool: 'networks' } }) },
} satisfies Partial<Probes>
