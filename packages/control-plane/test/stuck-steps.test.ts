/** A step of the reconciler that waits for something that does not come. */
import { simulatedEngine } from '@steading/simulator'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createInstrumentation } from '../../node/src/instrumentation.ts'
import { openSqlite } from '../../node/src/sqlite.ts'
import { createControlPlane } from '../src/control-plane.ts'
import { memoryBlockStore } from '../src/engines/volumes/memory.ts'
import type { Engine, Engines } from '../src/kernel/ports/engines.ts'
import { createSession } from '../src/resources/identity/sessions/sessions.ts'
import { instanceRow } from './support/many.ts'
import { until } from './support/things.ts'

test('is reported while it runs, and only then', async () => {
  const rack = simulatedEngine(memoryBlockStore())
  const { promise: answer, resolve: letGo } = Promise.withResolvers<void>()
  let asked = 0
  const engine: Engine = {
    ...rack,
    open(parts): Engines {
      const engines = rack.open(parts)
      const observe = async (...args: Parameters<typeof engines.machines.observe>) => {
        asked++
        await answer
        return engines.machines.observe(...args)
      }
      return { ...engines, machines: { ...engines.machines, observe } }
    },
  }
  const log = vi.fn<(message: string) => void>()
  const controlPlane = await createControlPlane({
    database: openSqlite(':memory:'),
    engine,
    passwords: { hash: async (password) => password, verify: async (a, b) => a === b },
    measures: createInstrumentation(),
    settings: { log, stepLimitMs: 100, serverName: 'mill' },
  })
  await controlPlane.bootstrap({ adminPassword: 'correct horse' })
  const { db } = controlPlane.database
  const user = await db.selectFrom('silo_user').select(['id', 'silo_id']).executeTakeFirstOrThrow()
  const cookie = `session=${await createSession(db, user.id, new Date())}`
  const get = async (path: string) => {
    const request = new Request(`http://localhost${path}`, { headers: { cookie } })
    return controlPlane.fetch(request, { clientAddress: '' })
  }
  const stuck = async () => {
    const { items } = (await (await get('/x/v1/issues')).json()) as {
      items: { id: string; sentence: string }[]
    }
    // A busy machine may take as long for steps of other resources.
    return items.filter(({ id }) => id === `step_stuck:${row.id}`)
  }
  const made = await controlPlane.fetch(
    new Request('http://localhost/v1/projects', {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'work', description: '' }),
    }),
    { clientAddress: '' },
  )
  const { id: project } = (await made.json()) as { id: string }
  const row = instanceRow(project, 'slow', {
    run_state: 'stopping',
    vm_id: crypto.randomUUID(),
    reconcile_at: new Date().toISOString(),
  })
  await db.insertInto('instance').values(row).execute()
  await controlPlane.start()
  onTestFinished(() => controlPlane.stop())
  onTestFinished(() => letGo())
  const [issue] = await until(stuck, (found) => expect(found).toHaveLength(1))
  expect(issue).toMatchObject({ severity: 'warning' })
  expect(issue!.sentence).toMatch(
    /^Instance slow of project work in silo main has a step that does not end.*on mill: /,
  )
  const reports = () =>
    log.mock.calls.filter(([message]) => message.includes(`${row.id} has been running`))
  expect(reports()).toHaveLength(1)
  const lasts = /^steading_reconciler_step_seconds\{kind="instance"\} (.*)$/m
  const seconds = async () => Number(lasts.exec(await controlPlane.metrics())?.[1])
  expect(await seconds()).toBeGreaterThanOrEqual(0.1)
  // It neither ends nor runs a second time.
  expect(asked).toBe(1)
  const { lease_until } = await db
    .selectFrom('instance')
    .select('lease_until')
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow()
  expect(lease_until).not.toBeNull()

  letGo()
  await until(stuck, (found) => expect(found).toEqual([]))
  await until(
    () => db.selectFrom('endless_step').selectAll().execute(),
    (found) => expect(found).toEqual([]),
  )
  expect(reports()).toHaveLength(1)
  expect(await seconds()).toBe(0)
})
