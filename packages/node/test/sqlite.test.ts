import { openDatabase, UNSYNCED } from '@steading/control-plane'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lockDataDirectory } from '../src/data-lock.ts'
import { isBusy, NodeSqlite, openSqlite } from '../src/sqlite.ts'
import { keepStatistics, updateStatistics } from '../src/sqlite-statistics.ts'
import { temporaryDirectory } from './support/process.ts'

function open() {
  const database = new DatabaseSync(':memory:')
  database.exec('create table thing (id integer primary key, name text unique, flag int)')
  return new NodeSqlite(database)
}

const thrownBy = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe('SQLite with the interface of Kysely', () => {
  test('distinguishes statements that return rows from others', () => {
    const sqlite = open()
    const reader = (sql: string) => sqlite.prepare(sql).reader
    expect(reader('select 1')).toBe(true)
    expect(reader('with a as (select 1) select * from a')).toBe(true)
    expect(reader('pragma user_version')).toBe(true)
    expect(reader('insert into thing (name) values (?) returning id')).toBe(true)
    expect(reader('update thing set flag = 1 RETURNING name')).toBe(true)
    expect(reader("insert into thing (name) values ('returning')")).toBe(false)
    expect(reader('delete from thing')).toBe(false)
    expect(reader('begin')).toBe(false)
  })

  test('whole numbers are bound as integers, up to the largest exact one', () => {
    const statement = open().prepare('select typeof(?) as type, cast(? as text) as text')
    const row = (value: unknown) => statement.all([value, value])[0]
    expect(row(50)).toEqual({ type: 'integer', text: '50' })
    expect(row(-(2 ** 53) + 1)).toEqual({ type: 'integer', text: '-9007199254740991' })
    expect(row(0.5)).toEqual({ type: 'real', text: '0.5' })
    expect(row(7n)).toEqual({ type: 'integer', text: '7' })
  })

  test('integers that are not exact in JavaScript are read as the nearest number, and written once', () => {
    const sqlite = open()
    const large = 34_359_738_368_000_000
    const rows = [{ id: 1, name: 'large', flag: large }]
    sqlite.prepare(`insert into thing values (1, 'large', ${large - 1000})`).run([])
    const change = sqlite.prepare('update thing set flag = flag + 1000 returning *')
    expect(change.all([])).toEqual(rows)
    expect(sqlite.prepare('select * from thing').all([])).toEqual(rows)
    expect([...sqlite.prepare('select * from thing').iterate([])]).toEqual(rows)
    expect(sqlite.prepare('select id from thing').all([])).toEqual([{ id: 1 }])
  })

  test('converts JavaScript values that SQLite lacks', () => {
    const sqlite = open()
    const time = new Date(0)
    expect(
      sqlite
        .prepare('select ? as yes, ? as no, ? as absent, ? as time')
        .all([true, false, undefined, time]),
    ).toEqual([{ yes: 1, no: 0, absent: null, time: '1970-01-01T00:00:00.000Z' }])
  })

  test('only marked statements are committed without waiting for the disk, and never a transaction', () => {
    const database = new DatabaseSync(':memory:')
    const level = () => Number(database.prepare('pragma synchronous').get()!.synchronous)
    database.function('level', level)
    const sqlite = new NodeSqlite(database)
    const levelOf = (sql: string) => sqlite.prepare(sql).all([])
    const [normal, full] = [[{ level: 1 }], [{ level: 2 }]]
    expect(levelOf('select level() as level')).toEqual(full)
    expect(levelOf(`select level() as level ${UNSYNCED}`)).toEqual(normal)
    expect(levelOf('select level() as level')).toEqual(full)
    thrownBy(() => sqlite.prepare(`select abs(-9223372036854775808) ${UNSYNCED}`).all([]))
    expect(level()).toBe(2)
    sqlite.prepare('begin').run([])
    expect(levelOf(`select level() as level ${UNSYNCED}`)).toEqual(full)
    sqlite.prepare('rollback').run([])
  })

  test('a volatile database never waits for the disk', () => {
    const database = new DatabaseSync(join(temporaryDirectory(), 'steading.db'))
    database.exec('pragma synchronous = off')
    const level = () => Number(database.prepare('pragma synchronous').get()!.synchronous)
    database.function('level', level)
    const sqlite = new NodeSqlite(database, { volatile: true })
    const levelOf = (sql: string) => sqlite.prepare(sql).all([])
    expect(levelOf('select level() as level')).toEqual([{ level: 0 }])
    expect(levelOf(`select level() as level ${UNSYNCED}`)).toEqual([{ level: 0 }])
    expect(level()).toBe(0)
  })

  test('counts changes', () => {
    const sqlite = open()
    const insert = sqlite.prepare('insert into thing (name) values (?), (?)')
    expect(insert.run(['a', 'b'])).toEqual({ changes: 2, lastInsertRowid: 2 })
    expect(sqlite.prepare('delete from thing').run([]).changes).toBe(2)
  })

  test('iterating over rows is not disturbed by another use of the statement', () => {
    const sqlite = open()
    sqlite.prepare('insert into thing (name) values (?), (?), (?)').run(['a', 'b', 'c'])
    const sql = 'select name from thing where name > ? order by name'
    const seen: unknown[] = []
    for (const row of sqlite.prepare(sql).iterate([''])) {
      seen.push(row)
      expect(sqlite.prepare(sql).all(['b'])).toEqual([{ name: 'c' }])
    }
    expect(seen).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  })

  test('keeps a bounded number of statements, the recently used ones', () => {
    const sqlite = open()
    const kept = sqlite.prepare('select 0')
    const dropped = sqlite.prepare('select 1')
    for (let number = 2; number < 700; number++) {
      sqlite.prepare(`select ${number}`)
      sqlite.prepare('select 0')
    }
    expect(sqlite.prepare('select 0')).toBe(kept)
    expect(sqlite.prepare('select 1')).not.toBe(dropped)
  })
})

describe('the database on disk', () => {
  test('a commit is on disk before it returns', async () => {
    const path = join(temporaryDirectory(), 'steading.db')
    const { db, close } = await openDatabase(openSqlite(path))
    const pragma = async (name: string) =>
      Object.values(
        await db
          .selectFrom(`pragma_${name}` as never)
          .selectAll()
          .executeTakeFirstOrThrow(),
      )
    expect(await pragma('journal_mode')).toEqual(['wal'])
    expect(await pragma('synchronous')).toEqual([2])
    expect(await pragma('foreign_keys')).toEqual([1])
    await close()
  })

  test('conflicts are distinguished from other errors', () => {
    const path = join(temporaryDirectory(), 'steading.db')
    const { isConflict, violatedIndex } = openSqlite(path)
    const [one, other] = [1, 2].map(() => new DatabaseSync(path, { timeout: 0 }))
    one!.exec(`create table thing (a text, b text);
      create unique index thing_both on thing (a, b) where a is not null;
      create table word (b text);
      create unique index word_lower on word (lower(b));
      insert into thing values ('a', 'b');
      insert into word values ('b')`)
    const taken = thrownBy(() => one!.exec("insert into thing values ('a', 'b')"))
    const lower = thrownBy(() => one!.exec("insert into word values ('B')"))
    const wrong = thrownBy(() => one!.exec('insert into nothing values (1)'))
    one!.exec('begin immediate')
    const busy = thrownBy(() => other!.exec('begin immediate'))
    const errors = [taken, lower, busy, wrong, new Error('x'), undefined]
    expect(errors.map(isConflict)).toEqual([false, false, true, false, false, false])
    expect(errors.map(violatedIndex)).toEqual([
      'thing_both',
      'word_lower',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect([taken, busy].map(isBusy)).toEqual([false, true])
    one!.close()
    other!.close()
  })

  test('a file that is not a database is refused by name', () => {
    expect(() => openSqlite(import.meta.filename)).toThrow(
      `cannot open the database ${import.meta.filename}: file is not a database`,
    )
  })
})

describe('statistics of the planner', () => {
  const analyzed = () => {
    const database = new DatabaseSync(':memory:')
    onTestFinished(keepStatistics(database))
    database.exec(`
      create table thing (id integer primary key, name text);
      create index thing_name on thing (name);
      create table made (thing text);
      create index made_thing on made (thing);
      insert into thing (name) values ('first');
      analyze;
    `)
    return database
  }
  const statistics = (database: DatabaseSync) =>
    database.prepare('select idx, stat from sqlite_stat1 order by idx').all()
  const grow = (database: DatabaseSync) => {
    const add = database.prepare('insert into thing (name) values (?)')
    for (let index = 0; index < 5_000; index++) add.run(`thing-${index}`)
    database.prepare('select * from thing where name = ?').all('thing-7')
  }

  test('are updated while the database is open, once its tables have grown', async () => {
    const database = analyzed()
    const before = statistics(database)
    await updateStatistics(database)
    expect(statistics(database)).toEqual(before)
    grow(database)
    await updateStatistics(database)
    const [after] = statistics(database)
    expect(after!.idx).toBe('thing_name')
    expect(Number.parseInt(String(after!.stat))).toBeGreaterThan(1_000)
  })

  test('wait for the end of a transaction', async () => {
    const database = analyzed()
    grow(database)
    const before = statistics(database)
    database.exec('begin')
    await updateStatistics(database)
    database.exec('rollback')
    expect(statistics(database)).toEqual(before)
  })

  test('do not call a table empty that was empty once', () => {
    const file = join(temporaryDirectory(), 'steading.db')
    const empty = new DatabaseSync(file)
    empty.exec('create table made (thing text, gone text)')
    empty.exec('create index made_thing on made (thing) where gone is null')
    empty.exec(`insert into made values ('a', 'gone'); analyze`)
    expect(statistics(empty)).toMatchObject([{ idx: null }, { stat: '0 0' }])
    empty.close()
    openSqlite(file)
    expect(statistics(new DatabaseSync(file))).toMatchObject([{ idx: null }])
  })

  test('that are damaged keep no server from starting', () => {
    const file = join(temporaryDirectory(), 'steading.db')
    const database = new DatabaseSync(file)
    database.exec('create table thing (id integer primary key); analyze')
    const { rootpage } = database
      .prepare("select rootpage from sqlite_schema where name = 'sqlite_stat1'")
      .get()!
    const { page_size } = database.prepare('pragma page_size').get()!
    database.close()
    const descriptor = openSync(file, 'r+')
    const size = Number(page_size)
    writeSync(descriptor, Buffer.alloc(size, 0xff), 0, size, (Number(rootpage) - 1) * size)
    closeSync(descriptor)
    expect(() => openSqlite(file)).not.toThrow()
  })
})

describe('the lock of the data directory', () => {
  test('is held by one server at a time', () => {
    const data = join(temporaryDirectory(), 'a/b')
    const lock = lockDataDirectory(data)
    expect(() => lockDataDirectory(data)).toThrow(
      `the data directory ${data} is in use by another process`,
    )
    lock.release()
    lockDataDirectory(data).release()
  })

  test('reports why a directory cannot be used', () => {
    expect(() => lockDataDirectory(join(import.meta.filename, 'data'))).toThrow(
      'there is a file in its place',
    )
    if (process.platform !== 'linux') return
    expect(() => lockDataDirectory('/proc/none')).toThrow(
      'cannot use the data directory /proc/none: ENOENT',
    )
  })

  test('is released with its process, even if that is killed @long', async () => {
    const data = temporaryDirectory()
    const script = `
      const { lockDataDirectory } = await import(${JSON.stringify(join(import.meta.dirname, '../src/data-lock.ts'))})
      lockDataDirectory(${JSON.stringify(data)})
      console.log('locked')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    expect(() => lockDataDirectory(data)).toThrow('is in use by another process')
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockDataDirectory(data).release()
  })
})
