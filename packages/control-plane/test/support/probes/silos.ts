import { plain, type Probes } from './probe.ts'
import { server } from './world.ts'

export const silosProbes = {
  silo_list: plain,
  silo_view: {
    'by name': { args: () => ({ params: { silo: 'main' } }) },
    'by id': { args: () => ({ params: { silo: server.siloId } }) },
  },
  utilization_view: plain,
} satisfies Partial<Probes>
