import { templateBody } from '../templates.ts'
import type { Probes } from './probe.ts'
import { box, fresh, ids, onceForEachServer, parents, server } from './world.ts'

const make = (query: object) =>
  server.admin.call('instance_template_create', { query, body: templateBody(fresh()) })
/** Templates for calls that leave them as they are. */
const kept = {
  project: onceForEachServer(() => make(parents)),
  silo: onceForEachServer(() => make({})),
}
const ofProject = async () => ({
  params: { instance_template: (await kept.project()).name },
  query: parents,
})
const ofSilo = async () => ({ params: { instance_template: (await kept.silo()).name } })
const use = (project?: string) => ({ body: { name: fresh(), ...(project && { project }) } })

export const instanceTemplatesProbes = {
  instance_template_search: {
    'of a project': { args: () => ({ query: parents }), about: ['project'] },
    'of the silo': { args: () => ({}), about: ['silo_instance_template'] },
  },
  instance_template_create: {
    'in a project': {
      args: () => ({ query: parents, body: templateBody(fresh()) }),
      about: ['project'],
    },
    'in the silo': {
      args: () => ({ body: templateBody(fresh()) }),
      about: ['silo_instance_template'],
    },
  },
  instance_template_view: {
    'of a project': { args: ofProject, about: ['instance_template'] },
    'of the silo': { args: ofSilo, about: ['silo_instance_template'] },
  },
  instance_template_update: {
    'of a project': {
      args: async () => ({ ...(await ofProject()), body: { description: 'changed' } }),
      about: ['instance_template'],
    },
    'of the silo': {
      args: async () => ({ ...(await ofSilo()), body: { description: 'changed' } }),
      about: ['silo_instance_template'],
    },
  },
  instance_template_delete: {
    'of a project': {
      args: async () => ({
        params: { instance_template: (await make(parents)).name },
        query: parents,
      }),
      about: ['instance_template'],
    },
    'of the silo': {
      args: async () => ({ params: { instance_template: (await make({})).name } }),
      about: ['silo_instance_template'],
    },
  },
  instance_template_use: {
    'of a project': {
      args: async () => ({ ...(await ofProject()), ...use() }),
      about: ['instance_template', 'project'],
    },
    'of the silo': {
      args: async () => ({ ...(await ofSilo()), ...use(ids.project) }),
      about: ['silo_instance_template', 'project'],
      bodyNames: true,
    },
  },
  instance_template_draft: { args: () => box },
} satisfies Partial<Probes>
