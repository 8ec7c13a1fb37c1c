import type { DamagedKind } from '@steading/api'
import { sql } from 'kysely'
import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'
import './table.ts'

interface Found {
  volume: string
  bytes: number | null
  time_found: string
  /** Null for a volume that belongs to no named resource. */
  kind: DamagedKind | null
  id: string
  name: string
  project: string | null
  silo: string | null
  silo_id: string | null
}

export const damagedVolumes: Finder = async ({ db, actor }) => {
  // The bytes of images belong to snapshots, which may be deleted.
  const { rows } = await sql<Found>`
    with its as (select * from damage where kind = 'volume' order by time_found limit ${ISSUE_ROWS}),
    owner as (
      select its.thing, 'disk' as kind, disk.id, disk.name, project_id, null as silo_id
      from its join disk on disk.id = its.thing where time_deleted is null
      union all
      select its.thing, 'snapshot', snapshot.id, snapshot.name, project_id, null
      from its join snapshot on snapshot.id = its.thing where time_deleted is null
      union all
      select its.thing, 'image', image.id, image.name, project_id, image.silo_id
      from its join image on image.snapshot_id = its.thing where time_deleted is null
      union all
      select its.thing, 'support_bundle', bundle.id, bundle.name, null, null
      from its join support_bundle as bundle on bundle.volume_id = its.thing
      union all
      select its.thing, 'update_repository', repository.id, repository.name, null, null
      from its join update_repository as repository on repository.id = its.thing
    )
    select its.thing as volume, its.bytes, its.time_found, owner.kind, owner.id, owner.name,
      project.name as project, silo.name as silo, silo.id as silo_id
    from its
      join volume on volume.id = its.thing
      left join owner on owner.thing = its.thing
      left join project on project.id = owner.project_id
      left join silo on silo.id = coalesce(project.silo_id, owner.silo_id)
    order by its.time_found limit ${ISSUE_ROWS}`.execute(db)
  return rows.map(({ volume, bytes, time_found, silo_id, ...row }) =>
    issue('volume_damaged', row.kind === null ? volume : row.id, time_found, {
      kind: row.kind ?? 'volume',
      name: row.kind === null ? volume : row.name,
      project: row.project,
      silo: row.silo,
      own: silo_id === actor.siloId,
      bytes: bytes === null ? null : Number(bytes),
    }),
  )
}

export const damagedTimeSeries: Finder = async ({ db }) => {
  const rows = await db
    .selectFrom('damage')
    .selectAll()
    .where('kind', '=', 'time_series')
    .orderBy('time_found')
    .limit(ISSUE_ROWS)
    .execute()
  return rows.map(({ thing, time_found }) =>
    issue('time_series_damaged', thing, time_found, { file: thing }),
  )
}
