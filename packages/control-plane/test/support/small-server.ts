/** A control plane over an engine of the test, without a host around it. */
import { expect } from 'vitest'
import { openSqlite } from '../../../node/src/sqlite.ts'
import {
  type ControlPlane,
  type ControlPlaneOptions,
  createControlPlane,
} from '../../src/control-plane.ts'
import type { Engine, Engines } from '../../src/kernel/ports/engines.ts'
import type { Settings } from '../../src/kernel/settings.ts'
import { createSession } from '../../src/resources/identity/sessions/sessions.ts'

export interface SmallServer<E extends Engines> {
  controlPlane: ControlPlane<E>
  /** Calls it as its first user; fails unless the call succeeds. */
  call: <T>(method: string, path: string, body?: object) => Promise<T>
  /** May be called again. */
  stop: () => Promise<void>
}

/** @param path of the database */
export async function startSmallServer<E extends Engines>(
  path: string,
  engine: Engine<E>,
  log: Settings['log'] = () => {},
  more: Partial<ControlPlaneOptions<E>> = {},
): Promise<SmallServer<E>> {
  const controlPlane = await createControlPlane({
    database: openSqlite(path),
    engine,
    passwords: { hash: async (password) => password, verify: async (a, b) => a === b },
    settings: { log },
    ...more,
  })
  await controlPlane.bootstrap({ adminPassword: 'correct horse' })
  const { db } = controlPlane.database
  const { id } = await db.selectFrom('silo_user').select('id').executeTakeFirstOrThrow()
  const cookie = `session=${await createSession(db, id, new Date())}`
  await controlPlane.start()
  let running = true
  return {
    controlPlane,
    async call<T>(method: string, url: string, body?: object): Promise<T> {
      const request = new Request(`http://localhost${url}`, {
        method,
        headers: { cookie, host: 'localhost', 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const answer = await controlPlane.fetch(request, { clientAddress: '' })
      const text = await answer.text()
      expect(answer.status, text).toBeLessThan(300)
      return (text ? JSON.parse(text) : undefined) as T
    },
    async stop() {
      if (running) await controlPlane.stop()
      running = false
    },
  }
}
