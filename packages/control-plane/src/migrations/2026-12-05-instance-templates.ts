import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, listed, table } from './build.ts'

const owners = {
  project: 'project_id is not null',
  silo: 'project_id is null',
}

/** Templates of instances, of projects and of silos. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const template = {
    ...listed,
    silo_id: 'text',
    project_id: 'text?',
    instance: 'text',
    variables: 'text',
    variable_count: 'int',
  }
  await table(db, dialect, 'instance_template', template, ['id'])
  for (const [owner, where] of Object.entries(owners)) {
    const name = `instance_template_${owner}`
    const parent = `${owner}_id`
    const on = 'instance_template'
    await index(db, `${name}_name`, on, [parent, 'name'], { unique: true, where })
    await index(db, `${name}_by_natural_name`, on, [parent, 'name_key'], { where })
    for (const column of ['description', 'time_created']) {
      await index(db, `${name}_by_${column}`, on, [parent, column, 'id'], { where })
    }
    // With the column of the condition, so that a search reads the index alone.
    const searched = [...new Set([parent, 'name', 'description', 'project_id', 'id'])]
    await index(db, `${name}_search`, on, searched, { where: `${where} and name <> ''` })
  }
  await index(db, 'instance_template_found', 'instance_template', ['name'])
}
