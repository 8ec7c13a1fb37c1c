import type { Probes } from './probe.ts'
import { parents } from './world.ts'

const params = () => ({ kind: 'disk' as const, thing: crypto.randomUUID() })

/** The tests of tags and notes check resources of each kind. */
export const tagsProbes = {
  tag_list: {
    'of the silo': { args: () => ({}), about: [] },
    'of a project': { args: () => ({ query: parents }) },
  },
  tag_key_list: {
    'of the silo': { args: () => ({}), about: [] },
    'of a project': { args: () => ({ query: parents }) },
  },
  tags_view: { args: () => ({ params: params() }), passes: 404 },
  tags_replace: { args: () => ({ params: params(), body: { tags: ['env:prod'] } }), passes: 404 },
  tags_change: { args: () => ({ params: params(), body: { set: ['env:prod'] } }), passes: 404 },
  note_view: { args: () => ({ params: params() }), passes: 404 },
  note_replace: { args: () => ({ params: params(), body: { text: 'Ask first' } }), passes: 404 },
  note_version_list: { args: () => ({ params: params() }), passes: 404 },
  note_version_view: { args: () => ({ params: { ...params(), version: '1' } }), passes: 404 },
} satisfies Partial<Probes>
