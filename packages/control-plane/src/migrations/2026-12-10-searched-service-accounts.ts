import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live } from './build.ts'
import { addNameKeys } from './name-keys.ts'

const owners = {
  project: `${live} and project_id is not null`,
  silo: `${live} and project_id is null`,
}

/** The search of service accounts of projects and of silos. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const on = 'service_account'
  await addNameKeys(db, dialect, on)
  for (const [owner, where] of Object.entries(owners)) {
    const name = `${on}_${owner}`
    const parent = `${owner}_id`
    await index(db, `${name}_by_natural_name`, on, [parent, 'name_key'], { where })
    for (const column of ['description', 'time_created']) {
      await index(db, `${name}_by_${column}`, on, [parent, column, 'id'], { where })
    }
    // With the columns of the condition, so that a search reads the index alone.
    const searched = new Set([parent, 'name', 'description', 'time_deleted', 'project_id', 'id'])
    await index(db, `${name}_search`, on, [...searched], { where: `${where} and name <> ''` })
  }
  await index(db, `${on}_found`, on, ['name'], { where: live })
}
