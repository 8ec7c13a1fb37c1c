/**
 * Triggers that record use. They derive from the kinds, and run in the statement that changes a row,
 * so that no change of any caller can be missed, and a record commits with its change or not at all.
 *
 * Times are by the clock of the database, so that servers whose clocks differ agree. If it was set
 * back, a record ends no earlier than it began: one that began later than it ends is removed. The
 * next record of the resource begins no earlier than its last one ended, unless that is more than a
 * day ahead: then the clock was wrong before.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Dialect, OpenDatabase } from '../../../kernel/db/database.ts'
import { databaseNow } from '../../../kernel/db/leases.ts'
import { claimSetting, readSetting } from '../../../kernel/db/setting.ts'
import { digest } from '../../../kernel/secrets.ts'
import { type MeteredKind, meteredKinds } from './metered.ts'
import { GOES_ON } from './table.ts'

/** Key of the setting with the time since when use is recorded, RFC 3339. */
export const RECORDED_SINCE = 'usage_recorded_since'

const AHEAD_MS = 24 * 60 * 60 * 1000

const run = (db: Db, statement: string) => sql.raw(statement).execute(db)

/** SQL about a row, with another name for the row. */
const about = (row: string, text: string): string => text.replaceAll(/\bits\./g, `${row}.`)

/** Text of an expression without parameters. */
const textOf = (db: Db, builder: RawBuilder<unknown>): string => builder.compile(db).sql

/** Parts of statements on one database. */
interface Words {
  /** Milliseconds since 1970; the same within a trigger. */
  now: string
  greatest: (one: string, other: string) => string
  least: (one: string, other: string) => string
  /** Whether two values differ, of which any may be null. */
  differ: (one: string, other: string) => string
  /** JSON of the tags of a resource. */
  tags: (id: string) => string
  /** Milliseconds since 1970 of an RFC 3339 time. */
  ms: (time: string) => string
}

const wordsOf: Record<Dialect, Omit<Words, 'now'>> = {
  sqlite: {
    greatest: (one, other) => `max(${one}, ${other})`,
    least: (one, other) => `min(${one}, ${other})`,
    differ: (one, other) => `(${one}) is not (${other})`,
    tags: (id) => `coalesce((select json_group_object(key, value) from (
      select key, value from tag where thing_id = ${id} order by key)), '{}')`,
    ms: (time) => `cast(unixepoch(${time}, 'subsec') * 1000 as integer)`,
  },
  postgres: {
    greatest: (one, other) => `greatest(${one}, ${other})`,
    least: (one, other) => `least(${one}, ${other})`,
    differ: (one, other) => `(${one}) is distinct from (${other})`,
    tags: (id) => `coalesce((select json_object_agg(key, value order by key)::text from tag
      where thing_id = ${id}), '{}')`,
    ms: (time) => `cast(extract(epoch from cast(${time} as timestamptz)) * 1000 as bigint)`,
  },
}

const metricsOf = ({ amounts }: MeteredKind): string =>
  Object.keys(amounts)
    .map((metric) => `'${metric}'`)
    .join(', ')

/**
 * The records of a resource that go on. The plus keeps the databases from reading all records that
 * go on, along the index of the ends.
 */
const goingOnOf = (id: string): string => `thing_id = ${id} and +time_end = ${GOES_ON}`

/** Ends the records of a resource that go on. */
const ending = ({ now }: Words, id: string, metrics: string): string[] => {
  const goingOn = `${goingOnOf(id)} and metric in (${metrics})`
  return [
    `delete from usage_record where ${goingOn} and time_start >= ${now}`,
    `update usage_record set time_end = ${now} where ${goingOn}`,
  ]
}

/** Begins the records of the rows that a condition finds. */
const beginning = (
  { now, greatest, tags }: Words,
  { amounts, silo, name, while: inUse }: MeteredKind,
  row: string,
  from: { time?: string; rows?: string } = {},
): string[] =>
  Object.entries(amounts).map(([metric, amount]) => {
    const time =
      from.time ??
      greatest(
        now,
        `coalesce((select last.time_end from usage_record as last
          where last.thing_id = ${row}.id and last.metric = '${metric}'
            and last.time_end <= ${now} + ${AHEAD_MS}
          order by last.time_start desc limit 1), 0)`,
      )
    return `insert into usage_record
      (thing_id, metric, time_start, time_end, amount, name, silo_id, project_id, tags)
      select ${row}.id, '${metric}', ${time}, ${GOES_ON}, ${about(row, amount)},
        ${about(row, name)}, ${about(row, silo)}, ${row}.project_id, ${tags(`${row}.id`)}
      ${from.rows ?? `where ${about(row, inUse)} and ${about(row, silo)} is not null`}`
  })

/** Whether an update of a row changes its use. */
function changesUse({ differ }: Words, kind: MeteredKind): string {
  const parts = [...Object.values(kind.amounts), kind.silo, 'its.project_id']
  const changed = parts.map((part) => differ(about('old', part), about('new', part)))
  return `${differ(about('old', kind.while), about('new', kind.while))}
    or ((${about('new', kind.while)}) and (${changed.join(' or ')}))`
}

/** Columns on which the use of a row depends. */
function columnsOf(kind: MeteredKind): string[] {
  const parts = [...Object.values(kind.amounts), kind.silo, kind.while, 'its.project_id']
  return [
    ...new Set(parts.flatMap((part) => [...part.matchAll(/\bits\.(\w+)/g)].map(([, c]) => c!))),
  ]
}

/** Splits the records of a resource whose tags change. */
const splitting = ({ now, tags }: Words, id: string): string[] => {
  const goingOn = goingOnOf(id)
  return [
    `insert into usage_record
      (thing_id, metric, time_start, time_end, amount, name, silo_id, project_id, tags)
      select thing_id, metric, ${now}, ${GOES_ON}, amount, name, silo_id, project_id, tags
      from usage_record where ${goingOn} and time_start < ${now}`,
    `update usage_record set time_end = ${now} where ${goingOn} and time_start < ${now}`,
    `update usage_record set tags = ${tags(id)} where ${goingOn}`,
  ]
}

/** Keeps the name of a silo or project that is purged. */
const keepingName = ({ now }: Words, kind: 'silo' | 'project'): string =>
  `insert into usage_place (id, kind, name, silo_id, time_purged)
    values (old.id, '${kind}', old.name, ${kind === 'silo' ? 'null' : 'old.silo_id'}, ${now})
    on conflict do nothing`

interface Trigger {
  name: string
  table: string
  /** `insert`, `update of …` or `delete`. */
  event: string
  when?: string
  statements: string[]
}

function triggersOn(words: Words): Trigger[] {
  const ofKinds = meteredKinds().flatMap((kind): Trigger[] => {
    const { table } = kind
    const end = ending(words, 'old.id', metricsOf(kind))
    return [
      {
        name: `${kind.kind}_insert`,
        table,
        event: 'insert',
        when: about('new', kind.while),
        statements: beginning(words, kind, 'new'),
      },
      {
        name: `${kind.kind}_update`,
        table,
        event: `update of ${columnsOf(kind).join(', ')}`,
        when: changesUse(words, kind),
        statements: [...end, ...beginning(words, kind, 'new')],
      },
      {
        name: `${kind.kind}_delete`,
        table,
        event: 'delete',
        when: about('old', kind.while),
        statements: end,
      },
    ]
  })
  return [
    ...ofKinds,
    {
      name: 'tag_insert',
      table: 'tag',
      event: 'insert',
      statements: splitting(words, 'new.thing_id'),
    },
    {
      name: 'tag_delete',
      table: 'tag',
      event: 'delete',
      statements: splitting(words, 'old.thing_id'),
    },
    ...(['silo', 'project'] as const).map((table) => ({
      name: `${table}_purge`,
      table,
      event: 'delete',
      statements: [keepingName(words, table)],
    })),
  ]
}

const list = (statements: readonly string[]): string =>
  statements.map((one) => `${one};`).join('\n')

/** @param clock milliseconds since 1970 on PostgreSQL, where the clock goes on within a trigger */
function creation(trigger: Trigger, name: string, dialect: Dialect, clock: string): string[] {
  const { table, event, when, statements } = trigger
  if (dialect === 'sqlite') {
    const condition = when ? `when ${when}` : ''
    return [
      `create trigger ${name} after ${event} on ${table} ${condition} begin
        ${list(statements)} end`,
    ]
  }
  // A condition of a trigger has no subqueries here.
  const body = when ? `if ${when} then ${list(statements)} end if;` : list(statements)
  return [
    `create or replace function ${name}() returns trigger language plpgsql as $$
      declare moment bigint := ${clock};
      begin ${body} return null; end $$`,
    `create trigger ${name} after ${event} on ${table} for each row execute function ${name}()`,
  ]
}

const PREFIX = 'usage_on_'

async function existing(db: Db, dialect: Dialect): Promise<{ name: string; table: string }[]> {
  const like = `${PREFIX.replaceAll('_', '\\_')}%`
  const query =
    dialect === 'sqlite'
      ? sql<{ name: string; table: string }>`select name, tbl_name as "table" from sqlite_schema
          where type = 'trigger' and name like ${like} escape '\\'`
      : sql<{ name: string; table: string }>`select t.tgname as name, c.relname as "table"
          from pg_trigger t join pg_class c on c.oid = t.tgrelid
          where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
            and t.tgname like ${like} escape '\\'`
  return (await query.execute(db)).rows
}

/** Ends records whose rows are no longer in use, and begins those of rows without any. */
async function bringInStep(db: Db, words: Words, isFirst: boolean): Promise<void> {
  for (const kind of meteredKinds()) {
    const { table, while: inUse, amounts, silo, since } = kind
    for (const [metric, amount] of Object.entries(amounts)) {
      const goingOn = `metric = '${metric}' and time_end = ${GOES_ON}`
      const matching = `select 1 from ${table} as its where its.id = usage_record.thing_id
        and ${inUse} and usage_record.amount = ${amount} and usage_record.silo_id = ${silo}
        and coalesce(usage_record.project_id, '') = coalesce(its.project_id, '')`
      const stale = `${goingOn} and not exists (${matching})`
      await run(db, `delete from usage_record where ${stale} and time_start >= ${words.now}`)
      await run(db, `update usage_record set time_end = ${words.now} where ${stale}`)
      const time = isFirst ? words.least(words.ms(since), words.now) : undefined
      const [begin] = beginning(words, { ...kind, amounts: { [metric]: amount } }, 'its', {
        time,
        rows: `from ${table} as its where ${inUse} and not exists (
          select 1 from usage_record where thing_id = its.id and metric = '${metric}' and +time_end = ${GOES_ON})`,
      })
      await run(db, begin!)
    }
  }
}

/**
 * Creates the triggers that are missing or whose declaration has changed, and brings the records in
 * step with the rows. The first time, existing rows have been in use since their declared time.
 */
export async function ensureUsageRecording(
  database: Pick<OpenDatabase, 'db' | 'dialect' | 'transaction'>,
): Promise<void> {
  const { dialect, db } = database
  const now = textOf(db, databaseNow(dialect))
  // In a trigger of PostgreSQL, the moment at which it began.
  const inTriggers: Words = {
    ...wordsOf[dialect],
    now: dialect === 'postgres' ? 'moment' : now,
  }
  const triggers = triggersOn(inTriggers)
  const stamp = (await digest(JSON.stringify(triggers))).slice(0, 8)
  const nameOf = (trigger: Trigger) => `${PREFIX}${trigger.name}_${stamp}`
  const isCurrent = (found: { name: string }[]) =>
    found.length === triggers.length &&
    triggers.every((trigger) => found.some(({ name }) => name === nameOf(trigger)))
  if (isCurrent(await existing(db, dialect))) return
  await database.transaction(async (tx) => {
    // Another server may have been faster.
    const found = await existing(tx, dialect)
    if (isCurrent(found)) return
    for (const { name, table } of found) {
      await run(tx, `drop trigger ${name}${dialect === 'postgres' ? ` on ${table}` : ''}`)
      if (dialect === 'postgres') await run(tx, `drop function if exists ${name}()`)
    }
    for (const trigger of triggers) {
      for (const statement of creation(trigger, nameOf(trigger), dialect, now)) {
        await run(tx, statement)
      }
    }
    const isFirst = (await readSetting(tx, RECORDED_SINCE)) === undefined
    await bringInStep(tx, { ...inTriggers, now }, isFirst)
    if (!isFirst) return
    const { rows } = await sql<{ now: number }>`select ${databaseNow(dialect)} as now`.execute(tx)
    await claimSetting(tx, RECORDED_SINCE, new Date(Number(rows[0]!.now)).toISOString())
  })
}

/** Derives all records anew from the existing rows, as the first start of this version does. */
export async function deriveUsage({
  dialect,
  transaction,
}: Pick<OpenDatabase, 'dialect' | 'transaction'>): Promise<void> {
  await transaction(async (tx) => {
    await tx.deleteFrom('usage_record').execute()
    const words = { ...wordsOf[dialect], now: textOf(tx, databaseNow(dialect)) }
    await bringInStep(tx, words, true)
  })
}
