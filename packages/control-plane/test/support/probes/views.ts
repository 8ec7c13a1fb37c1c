import type { TestServer } from '../harness.ts'
import type { Probes } from './probe.ts'
import { fresh, parents, server } from './world.ts'

const viewBody = (shared: { project?: string } = {}) => ({
  name: fresh(),
  list: 'disk' as const,
  query: {},
  ...shared,
})
const sharedView = async () =>
  (await server.admin.call('view_create', { body: viewBody(parents) })).id
/** A view for calls that do not change it, by world. */
const keptViews = new WeakMap<TestServer, Promise<string>>()
function keptView(): Promise<string> {
  const kept = keptViews.get(server) ?? sharedView()
  keptViews.set(server, kept)
  return kept
}

export const viewsProbes = {
  view_list: {
    'of a project': { args: () => ({ query: { list: 'disk', ...parents } }) },
    'of the caller': { args: () => ({ query: { list: 'disk' } }), about: [] },
  },
  view_create: {
    'in a project': { args: () => ({ body: viewBody(parents) }) },
    'for the caller': { args: () => ({ body: viewBody() }), about: [] },
  },
  view_update: {
    args: async () => ({
      params: { view: await keptView() },
      body: { position: 3 },
    }),
  },
  view_delete: { args: async () => ({ params: { view: await sharedView() } }) },
} satisfies Partial<Probes>
