/** The status of an update for operators. */
import type { Wire } from '@steading/api'
import {
  compareSystemVersions,
  INSTALL_DATASET,
  UNKNOWN_RELEASE,
  UPDATE_SUPPORT_MS,
} from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { SeenComponent } from '../../../kernel/ports/updates.ts'
import { countRowsBy } from '../../../kernel/db/rows.ts'
import { artifactsOf, type Part, partsOf, seenIn, desiredArtifact } from './rollout.ts'

type Update = Row<'system_update'>

export const updateRow = (db: Db): Promise<Update> =>
  db.selectFrom('system_update').selectAll().executeTakeFirstOrThrow()

export const targetOf = ({ version, time_requested }: Update): Wire.TargetRelease | null =>
  version === null || time_requested === null ? null : { version, time_requested }

/** Hash of an artifact → its release: the target if that has it, else the newest. */
async function releasesOf(db: Db, { repository_id }: Update): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('update_artifact')
    .innerJoin('update_repository', 'update_repository.id', 'update_artifact.repository_id')
    .select(['update_artifact.hash', 'update_repository.id', 'update_repository.name'])
    .distinct()
    .execute()
  rows.sort((a, b) => compareSystemVersions(a.name, b.name))
  const newest = new Map(rows.map(({ hash, name }) => [hash, name]))
  for (const { hash, id, name } of rows) if (id === repository_id) newest.set(hash, name)
  return newest
}

const releaseOf = (releases: Map<string, string>, { artifact }: SeenComponent): string | null =>
  (artifact === null ? undefined : releases.get(artifact)) ?? null

/** The release that a component runs, as named in the status. */
const statusRelease = (releases: Map<string, string>, component: SeenComponent): string =>
  releaseOf(releases, component) ??
  (component.kind === 'control_plane' && component.artifact === null
    ? INSTALL_DATASET
    : UNKNOWN_RELEASE)

export async function readStatus(db: Db, now: Date): Promise<Wire.UpdateStatus> {
  const update = await updateRow(db)
  const seen = seenIn(update)
  const releases = await releasesOf(db, update)
  const counts: Record<string, number> = {}
  for (const { components } of await partsOf(db, seen)) {
    for (const component of components) {
      const release = statusRelease(releases, component)
      counts[release] = (counts[release] ?? 0) + 1
    }
  }
  const { time_problem } = update
  const stuckFor = time_problem === null ? 0 : now.getTime() - Date.parse(time_problem)
  return {
    components_by_release_version: counts,
    contact_support: stuckFor >= UPDATE_SUPPORT_MS,
    suspended: seen.recovered.length > 0,
    target_release: targetOf(update),
    time_last_step_planned: update.time_last_step,
  }
}

/** Sled id → number of its instances. */
const instancesBySled = (db: Db): Promise<Map<string, number>> =>
  countRowsBy(db.selectFrom('instance').where('sled_id', 'is not', null), 'sled_id')

export async function readRollout(db: Db): Promise<Wire.UpdateRollout> {
  const update = await updateRow(db)
  const releases = await releasesOf(db, update)
  const artifacts = update.repository_id ? await artifactsOf(db, update.repository_id) : []
  const instances = await instancesBySled(db)
  const toWire = (part: Part): Wire.RolloutPart => {
    const components = part.components.map((component) => ({
      kind: component.kind,
      release: releaseOf(releases, component),
      updated: desiredArtifact(artifacts, part, component)?.hash === component.artifact,
      installing: component.installing !== undefined,
    }))
    const on = instances.get(part.id) ?? 0
    const isUpdated = components.every(({ updated }) => updated)
    const state = (): Wire.RolloutPartState => {
      if (isUpdated && !part.updating) return 'updated'
      if (part.updating && on > 0) return 'moving_instances'
      return part.updating || components.some(({ installing }) => installing)
        ? 'installing'
        : 'waiting'
    }
    const { kind, id, name } = part
    return { kind, id, name, state: state(), instances: on, components }
  }
  const parts = await partsOf(db, seenIn(update))
  return {
    state: update.state,
    target_release: targetOf(update),
    problem: update.problem,
    time_problem: update.time_problem,
    parts: parts.map(toWire),
  }
}
