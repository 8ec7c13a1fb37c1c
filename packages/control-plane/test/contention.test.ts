/** A transaction that never succeeds: the caller may retry, and the log has the reason. */
import { RETRY_AFTER_SECONDS } from '@steading/api/rules'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSqlite } from '../../node/src/sqlite.ts'
import { simulatedEngine } from '@steading/simulator'
import { memoryBlockStore } from '../src/engines/volumes/memory.ts'
import { createSession } from '../src/resources/identity/sessions/sessions.ts'
import { createControlPlane } from '../src/control-plane.ts'
import { ContentionError } from '../src/kernel/db/database.ts'

test('answers 503 for a call that always loses against others', async () => {
  const database = openSqlite(':memory:')
  let losing = false
  const log = vi.fn<(message: string, error?: unknown) => void>()
  const controlPlane = await createControlPlane({
    database: { ...database, isConflict: (error) => losing || database.isConflict(error) },
    engine: simulatedEngine(memoryBlockStore()),
    passwords: { hash: async (password) => password, verify: async (a, b) => a === b },
    settings: { log },
  })
  onTestFinished(() => controlPlane.stop())
  await controlPlane.bootstrap({ adminPassword: 'correct horse' })
  const { db } = controlPlane.database
  const { id } = await db.selectFrom('silo_user').select('id').executeTakeFirstOrThrow()
  const cookie = `session=${await createSession(db, id, new Date())}`
  // It waits for a random time before it tries again.
  const random = vi.spyOn(Math, 'random').mockReturnValue(0)
  onTestFinished(() => random.mockRestore())

  losing = true
  const request = new Request('http://localhost/v1/projects/none', {
    method: 'DELETE',
    headers: { cookie },
  })
  const response = await controlPlane.fetch(request, { clientAddress: '' })
  expect([response.status, await response.json()]).toEqual([
    503,
    {
      request_id: response.headers.get('x-request-id'),
      error_code: 'ServiceNotAvailable',
      message: 'Service Unavailable',
    },
  ])
  expect(response.headers.get('retry-after')).toBe(String(RETRY_AFTER_SECONDS))
  const [, error] = log.mock.lastCall!
  expect(error).toBeInstanceOf(ContentionError)
})
