/** Imports at a control plane whose volumes are given by the test. */
import type { Wire } from '@steading/api'
import { RAW_CHUNK_MAX } from '@steading/api/rules'
import { simulatedEngine } from '@steading/simulator'
import { expect, onTestFinished } from 'vitest'
import { createImageSources } from '../../../node/src/image-sources.ts'
import { openSqlite } from '../../../node/src/sqlite.ts'
import { createControlPlane } from '../../src/control-plane.ts'
import { memoryBlockStore } from '../../src/engines/volumes/memory.ts'
import type { Migrations, OpenDatabase } from '../../src/kernel/db/database.ts'
import { composeEngine } from '../../src/kernel/engine.ts'
import type { EngineContext, EnginePart } from '../../src/kernel/ports/engines.ts'
import type { Volumes } from '../../src/kernel/ports/volumes.ts'
import { createSession } from '../../src/resources/identity/sessions/sessions.ts'
import { loopback } from './image-server.ts'
import { blankDisk, until } from './things.ts'

const rack = simulatedEngine(memoryBlockStore())
const [part] = rack.parts as [EnginePart]
const PROJECT = 'work'

export interface Imports {
  database: OpenDatabase
  call: (method: string, path: string, body?: object | Uint8Array) => Promise<Answer>
  /** A disk with the bytes of a file, whose import has just been ended. @param gib its size */
  importFile: (name: string, file: Uint8Array, gib?: number) => Promise<void>
  disk: (name: string) => Promise<Wire.Disk>
  /** Waits for a state of a disk. */
  reach: (name: string, state: Wire.DiskState['state']) => Promise<Wire.Disk>
  /** The answer about the import into a disk. */
  view: (name: string) => Promise<Answer>
  /** The first bytes of a disk. */
  contents: (name: string, length: number) => Promise<Uint8Array>
  stop: () => Promise<void>
}
export interface Answer {
  status: number
  // The tests look at parts of many kinds of answers.
  // eslint-disable-next-line typescript/no-explicit-any
  body: any
}

/**
 * Starts a control plane.
 * @param volumesOf the volumes, from those of the simulated rack
 */
export async function startImports(
  volumesOf: (context: EngineContext, simulated: Volumes) => Volumes,
  {
    migrations = {},
    path = ':memory:',
    isNew = true,
  }: { migrations?: Migrations; path?: string; isNew?: boolean } = {},
): Promise<Imports> {
  const controlPlane = await createControlPlane({
    database: openSqlite(path),
    engine: composeEngine({
      ...part,
      migrations: { ...part.migrations, ...migrations },
      open(context) {
        const engines = rack.open(context)
        return { ...engines, volumes: volumesOf(context, engines.volumes) }
      },
    }),
    passwords: { hash: async (password) => password, verify: async (a, b) => a === b },
    host: { imageSources: createImageSources(loopback) },
    settings: { log: () => {} },
  })
  await controlPlane.bootstrap({ adminPassword: 'correct horse' })
  const { database } = controlPlane
  const { id } = await database.db.selectFrom('silo_user').select('id').executeTakeFirstOrThrow()
  const cookie = `session=${await createSession(database.db, id, new Date())}`
  await controlPlane.start()
  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= controlPlane.stop())
  onTestFinished(stop)

  const send = (method: string, path: string, body?: object | Uint8Array) => {
    const raw = body instanceof Uint8Array
    const type = raw ? 'application/octet-stream' : 'application/json'
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': type }) },
      ...(body && { body: raw ? Uint8Array.from(body) : JSON.stringify(body) }),
    })
    return controlPlane.fetch(request, { clientAddress: '' })
  }
  const call: Imports['call'] = async (method, path, body) => {
    const answer = await send(method, path, body)
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const done = async (...args: Parameters<typeof call>) => {
    const answer = await call(...args)
    expect(answer.body?.message).toBeUndefined()
    return answer.body
  }
  const at = (name: string, rest = '') => `/v1/disks/${name}${rest}?project=${PROJECT}`
  const disk: Imports['disk'] = (name) => done('GET', at(name))
  const reach: Imports['reach'] = (name, state) =>
    until(
      () => disk(name),
      (seen) => expect(seen.state.state).toBe(state),
    )
  if (isNew) await done('POST', '/v1/projects', { name: PROJECT, description: '' })

  return {
    database,
    call,
    disk,
    reach,
    stop,
    view: (name) => call('GET', `/x${at(name, '/import')}`),
    async importFile(name, file, gib = 1) {
      const disk_source = { type: 'importing_blocks' as const, block_size: 512 as const }
      await done('POST', `/v1/disks?project=${PROJECT}`, {
        ...blankDisk(name, { disk_backend: { type: 'distributed', disk_source } }),
        size: gib * 1024 ** 3,
      })
      await reach(name, 'import_ready')
      await done('POST', at(name, '/bulk-write-start'))
      for (let offset = 0; offset < file.length; offset += RAW_CHUNK_MAX) {
        const chunk = file.subarray(offset, offset + RAW_CHUNK_MAX)
        await done('PUT', `/x${at(name, '/contents')}&offset=${offset}`, chunk)
      }
      await done('POST', at(name, '/bulk-write-stop'))
      await done('POST', at(name, '/finalize'), { snapshot_name: `${name}-snapshot` })
    },
    async contents(name, length) {
      const answer = await controlPlane.fetch(
        new Request(`http://localhost/x${at(name, '/contents')}`, {
          headers: { cookie, range: `bytes=0-${length - 1}` },
        }),
        { clientAddress: '' },
      )
      expect(answer.status).toBe(206)
      return new Uint8Array(await answer.arrayBuffer())
    },
  }
}
