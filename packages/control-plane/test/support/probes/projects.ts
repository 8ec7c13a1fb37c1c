import { plain, type Probes } from './probe.ts'
import { fresh, ids, parents } from './world.ts'

export const projectsProbes = {
  project_terraform: { args: () => ({ params: parents }) },
  project_list: plain,
  project_create: { args: () => ({ body: { name: fresh(), description: '' } }) },
  project_view: {
    'by name': { args: () => ({ params: parents }) },
    'by id': { args: () => ({ params: { project: ids.project } }) },
  },
  project_update: { args: () => ({ params: parents, body: { description: fresh() } }) },
  project_delete: { args: () => ({ params: parents }), passes: 400 },
  project_search: plain,
  project_deletion: { args: () => ({ params: parents }) },
} satisfies Partial<Probes>
