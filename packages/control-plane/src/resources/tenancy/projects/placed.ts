/** Kinds of which some resources are in a project, and others directly in a silo. */
import { deletionSentences, isUuid } from '@steading/api/rules'
import { sql } from 'kysely'
import { authorize } from '../../../kernel/authz/authorize.ts'
import { anyTable } from '../../../kernel/db/any-table.ts'
import type { StoredTables, TableName } from '../../../kernel/db/tables.ts'
import { type Row, type Storage, storedKind, type StoredName } from '../../../kernel/kinds.ts'
import { lookup, type LookupContext } from '../../../kernel/lookup.ts'

/** The place of a resource: a project, or else the silo itself. */
interface Place {
  silo_id: string
  project_id: string | null
}

/** The id of a resource's container: its project or its silo. */
export const containerOf = ({ silo_id, project_id }: Place): string => project_id ?? silo_id

/** What two kinds share whose resources are rows of one table. */
export function placedKinds<P extends StoredName, S extends StoredName>(inProject: P, inSilo: S) {
  return {
    /** The kind of a resource, which has its own row of the permission matrix. */
    kindOf: ({ project_id }: Pick<Place, 'project_id'>): P | S =>
      project_id === null ? inSilo : inProject,

    /**
     * Finds a resource by id, by name and project, or by name alone among those of the caller's
     * silo.
     * @throws ApiError 400 for an id with a project, the 404 of the outermost missing resource, or
     *   403
     */
    async find(
      context: LookupContext<P | S>,
      selector: string,
      project?: string | null,
    ): Promise<Row<P>> {
      const by = (kind: P | S, parents = {}): Promise<Row<P>> =>
        lookup(context, kind as P, selector, parents)
      if (project) return by(inProject, { project })
      if (!isUuid(selector)) return by(inSilo)
      const place = await context.db
        .selectFrom(anyTable<Place & { id: string }>(storedKind(inProject).table).as('its'))
        .select('its.project_id')
        .where('its.id', '=', selector)
        .executeTakeFirst()
      return by(place?.project_id === null ? inSilo : inProject)
    },

    /** The place that a call names: a project, or else the caller's silo. */
    async placeOf(
      context: LookupContext<'project' | S>,
      project: string | null | undefined,
    ): Promise<Place> {
      if (project) {
        const { id: project_id, silo_id } = await lookup(context, 'project', project)
        return { silo_id, project_id }
      }
      const { siloId } = context.actor
      authorize<'project' | S>(context, inSilo, { siloId })
      return { silo_id: siloId, project_id: null }
    },
  }
}

/** The declarations of two such kinds, where those of a project are deleted with it. */
export function storedInPlaces<Table extends TableName>(
  table: Table,
  { tables, ...shared }: Pick<Storage, 'search' | 'steps'> & { tables: StoredTables },
) {
  const live = tables[table]?.marked ? 'time_deleted is null and ' : ''
  const inProject: Storage = {
    tables,
    live: `${live}project_id is not null`,
    ...shared,
    deletion: { columns: { project_id: 'project_id' } },
    relations: [
      {
        owner: 'project',
        relation: 'goes',
        pairs: sql`select id, project_id as owner_id from ${sql.table(table)}
          where project_id is not null`,
        reason: deletionSentences.partOfProject,
      },
    ],
  }
  const inSilo = {
    table,
    live: `${live}project_id is null`,
    ...shared,
    deletion: { columns: { silo_id: 'silo_id' } },
  }
  return { inProject, inSilo }
}
