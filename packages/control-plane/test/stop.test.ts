/** Shutdown of a control plane during a call, whose client may be gone. */
import { expect, test, vi } from 'vitest'
import { openSqlite } from '../../node/src/sqlite.ts'
import { simulatedEngine } from '@steading/simulator'
import { memoryBlockStore } from '../src/engines/volumes/memory.ts'
import { createSession } from '../src/resources/identity/sessions/sessions.ts'
import { createControlPlane } from '../src/control-plane.ts'

test('answers a running call before the database is closed', async () => {
  const log = vi.fn<(message: string, error?: unknown) => void>()
  const controlPlane = await createControlPlane({
    database: openSqlite(':memory:'),
    engine: simulatedEngine(memoryBlockStore()),
    passwords: { hash: async (password) => password, verify: async (a, b) => a === b },
    settings: { log },
  })
  await controlPlane.bootstrap({ adminPassword: 'correct horse' })
  const { db } = controlPlane.database
  const { id } = await db.selectFrom('silo_user').select('id').executeTakeFirstOrThrow()
  const cookie = `session=${await createSession(db, id, new Date())}`
  const request = new Request('http://localhost/v1/projects', { headers: { cookie } })
  const answer = controlPlane.fetch(request, { clientAddress: '' })
  await controlPlane.stop()
  expect((await answer).status).toBe(200)
  expect(log.mock.calls).toEqual([])
})
