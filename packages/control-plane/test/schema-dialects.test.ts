/** The tables are the same on both databases, except for what is named here. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The same in the words of SQLite and of PostgreSQL, as a pattern and what replaces it. */
const sameWords: [RegExp, string][] = [
  [/\binteger primary key autoincrement\b|\bbigserial not null\b/g, 'counter'],
  [/\binteger\b/g, 'int'],
  [/\bcharacter varying\b/g, 'varchar'],
  [/ collate "C"/g, ''],
  [/::\w+/g, ''],
  [/ <> all \(array\[(.*?)\]\)/g, ' not in ($1)'],
  [/ = any \(array\[(.*?)\]\)/g, ' in ($1)'],
  [/(default \S+) not null/g, 'not null $1'],
  [/ without rowid/g, ''],
]

/**
 * Differences that are meant: pages of events wait for open transactions on PostgreSQL, and keys that
 * SQLite has at their columns are constraints there.
 */
const onlyOn = {
  sqlite: [
    'event: tx bigint not null default 0',
    'kysely_migration: name varchar 255 not null primary key',
    'kysely_migration_lock: id varchar 255 not null primary key',
  ],
  postgres: [
    'event: tx bigint not null default pg_current_xact_id',
    'event: constraint event_pkey primary key id',
    'event: create index event_order on event tx, id',
    'kysely_migration: name varchar 255 not null',
    'kysely_migration: constraint kysely_migration_pkey primary key name',
    'kysely_migration_lock: id varchar 255 not null',
    'kysely_migration_lock: constraint kysely_migration_lock_pkey primary key id',
    'simulated_input: constraint simulated_input_pkey primary key id',
  ],
}
/** Columns of times, which every collation sorts in the same way. */
const anyCollation = ['time_step_failed', 'time_paused']

const schema = (dialect: 'sqlite' | 'postgres') =>
  readFileSync(join(import.meta.dirname, `../schema/${dialect}.sql`), 'utf8')

/** Columns, constraints and indexes, each with its table. */
function parts(text: string): string[] {
  const [, ...tables] = text.split(/^create table /m)
  return tables.flatMap((table) => {
    const name = /^\w+/.exec(table)![0]
    const [columns, ...indexes] = table.slice(name.length).replace(/^ \(/, '').split(/;\n+/)
    const written = [...columns!.replace(/\n\)[^)]*$/, '').split(',\n'), ...indexes]
    return written
      .map((part) => sameWords.reduce((now, [from, to]) => now.replaceAll(from, to), part))
      .map((part) => `${name}: ${part.replaceAll(/[()]/g, ' ').replaceAll(/\s+/g, ' ').trim()}`)
      .filter((part) => part !== `${name}: `)
  })
}

test('both databases have the same tables, columns and indexes', () => {
  const sqlite = parts(schema('sqlite'))
  const postgres = parts(schema('postgres'))
  expect(sqlite.length).toBeGreaterThan(1500)
  expect(sqlite.filter((part) => !postgres.includes(part))).toEqual(onlyOn.sqlite)
  expect(postgres.filter((part) => !sqlite.includes(part))).toEqual(onlyOn.postgres)
})

test('texts by which rows are found are compared byte by byte on PostgreSQL', () => {
  const [, ...tables] = schema('postgres').split(/^create table /m)
  const otherwise = tables.flatMap((table) => {
    const keys = (table.match(/(?<= on \w+ \(|primary key \().*(?=\))/g) ?? []).join(' ')
    const columns = table.match(/(?<=^ {2})\w+(?= text\b(?! collate "C"))/gm) ?? []
    return columns.filter((column) => new RegExp(`\\b${column}\\b`).test(keys))
  })
  expect(new Set(otherwise)).toEqual(new Set(anyCollation))
})
