import { plain, type Probes } from './probe.ts'

export const starsProbes = {
  star_list: plain,
  // The tests of stars and views check one's own.
  star_create: { args: () => ({ body: { kind: 'disk', id: crypto.randomUUID() } }), passes: 404 },
  star_delete: { args: () => ({ params: { thing: crypto.randomUUID() } }), passes: 404 },
  dismissal_create: { args: () => ({ body: { place: crypto.randomUUID() } }), passes: 404 },
  dismissal_delete: { args: () => ({ params: { place: crypto.randomUUID() } }), passes: 404 },
} satisfies Partial<Probes>
