/** Agents in guests, with a server that is killed or takes several snapshots. */
import { expect, test } from 'vitest'
import { createAgents } from '../src/agents.ts'
import { LibvirtError } from '../src/native/errors.ts'
import { createRows } from '../src/rows.ts'
import { openEngineDatabase } from './support/database.ts'
import { smallSpec } from './support/open-engines.ts'

const id = crypto.randomUUID()

/** A machine, and its agent with the requests that it gets. */
async function machine({ thaw = async () => {} }: { thaw?: () => Promise<void> } = {}) {
  const { database } = await openEngineDatabase()
  const rows = createRows(database)
  await rows.insert(id, 'host', smallSpec([]), 0)
  const asked: string[] = []
  const guest = {
    async freeze() {
      asked.push('freeze')
      return 1
    },
    async thaw() {
      asked.push('thaw')
      await thaw()
      return 1
    },
  }
  return { rows, asked, guest, server: () => createAgents(rows, 5) }
}
const nothing = async () => {}

test('the next server thaws the file systems that a killed server has frozen', async () => {
  const { rows, asked, guest, server } = await machine()
  const begun = Promise.withResolvers<void>()
  void server().whileFrozen(guest, id, () => {
    begun.resolve()
    return new Promise(() => {})
  })
  await begun.promise
  expect((await rows.load(id))!.thaw).toBe(1)
  const next = server()
  next.retry(guest, await rows.all('host'))
  await next.settled()
  expect(asked).toEqual(['freeze', 'thaw'])
  expect((await rows.load(id))!.thaw).toBe(0)
})

test('a snapshot waits for the thaw of the snapshot before, and is consistent as well', async () => {
  const thawing = Promise.withResolvers<void>()
  const { asked, guest, server } = await machine({ thaw: () => thawing.promise })
  const agents = server()
  expect(await agents.whileFrozen(guest, id, nothing)).toBe(true)
  const second = agents.whileFrozen(guest, id, nothing)
  thawing.resolve()
  expect(await second).toBe(true)
  await agents.settled()
  expect(asked).toEqual(['freeze', 'thaw', 'freeze', 'thaw'])
})

test('an agent that has not thawed file systems is asked for nothing else', async () => {
  const { rows, asked, guest, server } = await machine({
    thaw: () => Promise.reject(new LibvirtError('the agent does not answer', 1)),
  })
  const agents = server()
  expect(await agents.whileFrozen(guest, id, nothing)).toBe(true)
  expect(await agents.whileFrozen(guest, id, nothing)).toBe(false)
  await agents.settled()
  expect(asked).toEqual(['freeze', 'thaw'])
  expect((await rows.load(id))!.thaw).toBe(1)
})
