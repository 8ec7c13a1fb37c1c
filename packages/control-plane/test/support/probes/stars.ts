import { plain, type Probes } from './probe.ts'

export const starsProbes = {
  star_list: plain,
  // Stars and views of one's own are checked by their tests.
  star_create: { args: () => ({ body: { kind: 'disk', id: crypto.randomUUID() } }), passes: 404 },
  star_delete: { args: () => ({ params: { thing: crypto.randomUUID() } }), passes: 404 },
} satisfies Partial<Probes>
