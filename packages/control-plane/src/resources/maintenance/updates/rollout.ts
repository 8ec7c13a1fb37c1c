/**
 * The work left to bring sleds and switches to a release; computed from the rows and the engine's
 * report.
 */
import {
  type ComponentKind,
  type RolloutPartKind,
  sledComponents,
  switchComponents,
} from '@steading/api/rules'
import type { Selectable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { SeenComponent, SeenSoftware } from '../../../kernel/ports/updates.ts'
import type { UpdateArtifactTable } from '../update-repositories/kind.ts'
import { seenSoftware } from './kind.ts'

export type ArtifactRow = Selectable<UpdateArtifactTable>

export const seenIn = ({ seen }: Pick<Row<'system_update'>, 'seen'>): SeenSoftware =>
  seenSoftware.read(seen)

/** A sled or switch in use. */
export interface Part {
  kind: RolloutPartKind
  id: string
  name: string
  /** Part number. */
  part: string
  responding: boolean
  updating: boolean
  components: SeenComponent[]
}

/** The sleds and switches in use, in the order in which they are updated. */
export async function partsOf(db: Db, { components }: SeenSoftware): Promise<Part[]> {
  const sleds = await db
    .selectFrom('sled')
    .select(['id', 'name', 'part', 'responding', 'updating'])
    .where('policy', '=', 'in_service')
    .where('state', '=', 'active')
    .orderBy('slot')
    .orderBy('id')
    .execute()
  const switches = await db
    .selectFrom('rack_switch')
    .select(['id', 'name', 'part'])
    .orderBy('slot')
    .orderBy('id')
    .execute()
  const its = (kind: RolloutPartKind, name: string) =>
    components.filter(({ on, serial }) => on === kind && serial === name)
  return [
    ...sleds.map(({ responding, updating, ...sled }) => ({
      kind: 'sled' as const,
      ...sled,
      responding: responding === 1,
      updating: updating === 1,
      components: its('sled', sled.name),
    })),
    ...switches.map((one) => ({
      kind: 'switch' as const,
      ...one,
      responding: true,
      updating: false,
      components: its('switch', one.name),
    })),
  ]
}

const artifactKinds: Record<RolloutPartKind, Partial<Record<ComponentKind, string>>> = {
  sled: sledComponents,
  switch: switchComponents,
}

/**
 * The artifact of a release for a component: the one named after the part number of its sled or
 * switch, or else the first one of its kind.
 */
export function desiredArtifact(
  artifacts: readonly ArtifactRow[],
  { part }: Pick<Part, 'part'>,
  { on, kind }: SeenComponent,
): ArtifactRow | undefined {
  const fitting = artifacts
    .filter((artifact) => artifact.kind === artifactKinds[on][kind])
    .toSorted((a, b) => Number(a.name > b.name) - Number(a.name < b.name))
  return fitting.find(({ name }) => name === part) ?? fitting[0]
}

/** The components of a part that do not run their artifact of a release. */
export const outdated = (artifacts: readonly ArtifactRow[], part: Part): SeenComponent[] =>
  part.components.filter((component) => {
    const wanted = desiredArtifact(artifacts, part, component)
    return wanted !== undefined && wanted.hash !== component.artifact
  })

export const artifactsOf = (db: Db, repositoryId: string): Promise<ArtifactRow[]> =>
  db.selectFrom('update_artifact').selectAll().where('repository_id', '=', repositoryId).execute()
