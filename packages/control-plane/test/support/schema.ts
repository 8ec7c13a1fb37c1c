/** The tables of a database as SQL, in words and an order that are the same on both databases. */
import { simulatedEngine } from '@steading/simulator'
import { sql } from 'kysely'
import { memoryBlockStore } from '../../src/engines/volumes/memory.ts'
import {
  type DatabaseHost,
  type Db,
  type Dialect,
  type OpenDatabase,
  openDatabase,
} from '../../src/kernel/db/database.ts'
import { migrationsOf } from '../../src/kernel/engine.ts'
import { noInstrumentation } from '../../src/kernel/instrumentation.ts'
import { migrations } from '../../src/migrations/index.ts'

interface Table {
  name: string
  columns: string[]
  constraints: string[]
  /** Clause after the columns, such as ` without rowid`. */
  options: string
  /** Statements that make its indexes. */
  indexes: string[]
}

/**
 * Opens a database with the tables of the control plane and of the simulated rack, without rows.
 */
export const openMigrated = (host: DatabaseHost): Promise<Omit<OpenDatabase, 'findsText'>> => {
  const engine = simulatedEngine(memoryBlockStore())
  return openDatabase(host, [migrations, ...migrationsOf(engine)], noInstrumentation)
}

/** The items of a list, whose commas are in no parentheses and in no quotes. */
function splitList(list: string): string[] {
  const items = ['']
  let depth = 0
  for (const token of list.match(/'[^']*'|[^']/g) ?? []) {
    if (token === '(') depth++
    if (token === ')') depth--
    if (token === ',' && depth === 0) items.push('')
    else items[items.length - 1] += token
  }
  return items.map((item) => item.trim())
}

/** Keywords in small letters, and names without quotes; texts and collations as they are. */
const plain = (text: string): string =>
  text.replaceAll(/'[^']*'|"C"|"(\w+)"|[A-Z]+/g, (token, name?: string) =>
    /^['"]/.test(token) ? (name ?? token) : token.toLowerCase(),
  )

async function sqliteTables(db: Db): Promise<Table[]> {
  const { rows } = await sql<{ type: string; table: string; text: string }>`
    select type, tbl_name as "table", sql as text from sqlite_schema
    where sql is not null and name not like 'sqlite\\_%' escape '\\'
    order by tbl_name, name`.execute(db)
  const other = rows.find(({ type }) => type !== 'table' && type !== 'index')
  if (other) throw new Error(`neither a table nor an index: ${other.text}`)
  return rows
    .filter(({ type }) => type === 'table')
    .map(({ table, text }) => {
      const [, list, options] = /^.*?\((.*)\)([^)]*)$/s.exec(plain(text))!
      const items = splitList(list!)
      const isConstraint = (item: string) => item.startsWith('constraint ')
      return {
        name: table,
        // Columns that were added later stand behind the constraints.
        columns: items.filter((item) => !isConstraint(item)),
        constraints: items.filter(isConstraint),
        options: options!,
        indexes: rows
          .filter((row) => row.type === 'index' && row.table === table)
          .map((row) => plain(row.text)),
      }
    })
}

async function postgresTables(db: Db): Promise<Table[]> {
  const here = sql`c.relnamespace = (select oid from pg_namespace where nspname = current_schema())`
  const { rows: columns } = await sql<{ table: string; text: string }>`
    select c.relname as "table", concat_ws(' ', a.attname,
      case when d.adbin is not null and pg_get_expr(d.adbin, c.oid) like 'nextval(%'
        then 'bigserial not null'
        else concat_ws(' ', format_type(a.atttypid, a.atttypmod),
          case when a.attcollation <> t.typcollation then 'collate "' || l.collname || '"' end,
          case when a.attnotnull then 'not null' end,
          'default ' || pg_get_expr(d.adbin, c.oid)) end) as text
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_collation l on l.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind = 'r' and ${here}
    order by c.relname collate "C", a.attnum`.execute(db)
  // Newer versions have the columns that must have a value among the constraints.
  const { rows: constraints } = await sql<{ table: string; text: string }>`
    select c.relname as "table",
      'constraint ' || n.conname || ' ' || pg_get_constraintdef(n.oid) as text
    from pg_constraint n join pg_class c on c.oid = n.conrelid
    where n.contype <> 'n' and ${here}`.execute(db)
  const { rows: indexes } = await sql<{ table: string; text: string }>`
    select c.relname as "table", pg_get_indexdef(i.indexrelid) as text
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_class its on its.oid = i.indexrelid
    where not exists (select from pg_constraint n where n.conindid = i.indexrelid) and ${here}
    order by its.relname collate "C"`.execute(db)
  const of = (rows: { table: string; text: string }[], table: string) =>
    rows.filter((row) => row.table === table).map(({ text }) => plain(text))
  return [...new Set(columns.map(({ table }) => table))].map((name) => ({
    name,
    columns: of(columns, name),
    constraints: of(constraints, name),
    options: '',
    indexes: of(indexes, name),
  }))
}

function tableText({ name, columns, constraints, options, indexes }: Table): string {
  const items = [...columns, ...constraints.toSorted()].map((item) => `  ${item}`)
  const statements = indexes.map((index) => {
    const [, start, list, where] =
      /^(create .*?index \w+) on \S+ (?:using btree )?(\(.*?\))( where .*)?$/s.exec(index)!
    return `${start}\n  on ${name} ${list}${where ? `\n ${where}` : ''};\n`
  })
  return `create table ${name} (\n${items.join(',\n')}\n)${options};\n${statements.join('')}`
}

/**
 * All tables by their names, each with its indexes by theirs.
 * @param db as migrations leave it
 */
export async function schemaText(db: Db, dialect: Dialect): Promise<string> {
  const tables = dialect === 'sqlite' ? await sqliteTables(db) : await postgresTables(db)
  return `-- The tables on ${dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, as the migrations make them, with those of the simulated rack.
-- Written by \`npm run generate\`. The indexes that find texts derive from the kinds (src/kernel/trigram-index.ts).

${tables.map(tableText).join('\n')}`
}
