import { type KindName, kindTable } from './kinds.ts'

/** The overviews that a change at each level makes stale, because they list it. */
const overviews = {
  project: ['project_overview', 'silo_overview', 'fleet_overview'],
  silo: ['silo_overview', 'fleet_overview'],
  fleet: ['fleet_overview'],
} as const

/** The briefing of a place is stale whenever the overview of the place is. */
const withBriefings = (reads: readonly string[]): readonly string[] =>
  reads.flatMap((read) =>
    read.endsWith('_overview') ? [read, read.replace('_overview', '_briefing')] : [read],
  )

/** Reads about resources of any kind with a list in `/x/v1`. */
const anyListed = ['tags_view', 'tag_list', 'note_view', 'note_version_list'] as const

/** Kinds whose changes may make a version of a setting. */
export const versionedKinds: readonly KindName[] = [
  'vpc_firewall_rule',
  'router_route',
  'vpc_router',
  'policy',
  'silo',
  'fleet',
]
const versions = ['setting_version_list', 'setting_version_view'] as const

/** The reads of a kind itself, some of which it may lack, and those that it declares. */
export const ownReads = (kind: KindName): readonly string[] => [
  `${kind}_list`,
  `${kind}_view`,
  `${kind}_deletion`,
  ...(kindTable[kind].reads ?? []),
]

/** All reads that a change of a kind makes stale. */
export const staleReads = (kind: KindName): readonly string[] => {
  const { access, listed } = kindTable[kind]
  return withBriefings([
    ...ownReads(kind),
    ...(listed ? anyListed : []),
    ...(versionedKinds.includes(kind) ? versions : []),
    ...overviews[access.scope],
  ])
}
