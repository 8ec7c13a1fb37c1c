/** Wrong clocks of servers' machines: when operators learn of them, and for how long. */
import { expect, onTestFinished, test } from 'vitest'
import { createClockRecord, wrongClocks } from '../src/kernel/db/server-clocks.ts'
import { openMigrated } from './support/migrated.ts'

const began = new Date('2026-01-01T12:00:00.000Z')
const after = (minutes: number): Date => new Date(began.getTime() + minutes * 60_000)

async function opened() {
  const database = await openMigrated()
  onTestFinished(() => database.close())
  const { db } = database
  return { db, record: createClockRecord(db, 'mill-1') }
}

test('a wrong clock is told until it is right, from when it was noticed', async () => {
  const { db, record } = await opened()
  await record.isWrong(420.2, began)
  await record.isWrong(421.4, after(2))
  expect(await wrongClocks(db, after(2))).toMatchObject([
    { id: 'mill-1', seconds_ahead: 421, time_began: began.toISOString() },
  ])
  await record.isRight()
  expect(await wrongClocks(db, after(2))).toEqual([])
})

test('a server that died is not believed for long, also not after a step back of the time', async () => {
  const { db, record } = await opened()
  await record.isWrong(-90, began)
  expect(await wrongClocks(db, after(2))).toHaveLength(1)
  expect(await wrongClocks(db, after(4))).toEqual([])
  expect(await wrongClocks(db, after(-4))).toEqual([])
  // After its return, the time in between does not count.
  await createClockRecord(db, 'mill-1').isWrong(-90, after(10))
  expect(await wrongClocks(db, after(10))).toMatchObject([{ time_began: after(10).toISOString() }])
})

test('rows of machines that are gone are removed', async () => {
  const { db, record } = await opened()
  await createClockRecord(db, 'gone').isWrong(100, began)
  await record.isWrong(100, after(4))
  expect(await db.selectFrom('server_clock').select('id').execute()).toEqual([{ id: 'mill-1' }])
})

test('a server forgets at its start what an earlier one has told', async () => {
  const { db, record } = await opened()
  await record.isWrong(100, began)
  await createClockRecord(db, 'mill-1').isRight()
  expect(await wrongClocks(db, began)).toEqual([])
})
