/** The end of an import where the engine converts images, with a converter that the test drives. */
import { imageDownloadProblems, imageProblems } from '@steading/api/rules'
import { expect, onTestFinished, test } from 'vitest'
import { NoSpaceError } from '../src/kernel/ports/block-store.ts'
import { type ConversionState, UnusableImageError } from '../src/kernel/ports/volumes.ts'
import { startImageServer } from './support/image-server.ts'
import { startImports } from './support/imports.ts'
import { until } from './support/things.ts'

const file = Uint8Array.from({ length: 1024 }, (_, i) => i)
const half: ConversionState = { done: false, format: 'vmdk', part: 0.507 }

/** @param first answer of the converter, until another one is set */
async function start(first: () => Promise<ConversionState>) {
  let answer = first
  const calls = { count: 0 }
  const imports = await startImports((_parts, volumes) => ({
    ...volumes,
    images: {
      formats: ['vmdk'],
      convert() {
        calls.count++
        return answer()
      },
    },
  }))
  const snapshotState = async (name: string) =>
    (await imports.call('GET', `/v1/snapshots/${name}-snapshot?project=work`)).body.state
  return {
    ...imports,
    calls,
    snapshotState,
    answers: (next: () => Promise<ConversionState>) => (answer = next),
  }
}

test('an import shows how far the conversion is, and its snapshot waits for that', async () => {
  const { importFile, view, reach, call, snapshotState, answers, calls } = await start(
    async () => half,
  )
  expect((await call('GET', '/x/v1/capabilities')).body.image_formats).toEqual(['vmdk'])
  await importFile('one', file)
  await until(
    () => view('one'),
    ({ body }) => expect(body.conversion).toEqual({ format: 'vmdk', percent: 50, problem: null }),
  )
  const before = calls.count
  await until(
    async () => calls.count,
    (count) => expect(count).toBeGreaterThan(before + 1),
  )
  expect(await snapshotState('one')).toBe('creating')
  expect((await reach('one', 'finalizing')).name).toBe('one')

  answers(async () => ({ done: true, format: 'vmdk', part: 1 }))
  await reach('one', 'detached')
  expect(await snapshotState('one')).toBe('ready')
  expect(await view('one')).toMatchObject({
    status: 400,
    body: { message: 'there is no import into a disk in state Detached' },
  })
})

test('the progress of another server is kept by one that does not know it @long', async () => {
  const { importFile, view, answers, calls } = await start(async () => half)
  await importFile('shared', file)
  answers(async () => ({ done: false }))
  const before = calls.count
  await until(
    async () => calls.count,
    (count) => expect(count).toBeGreaterThan(before + 1),
  )
  expect((await view('shared')).body.conversion).toMatchObject({ format: 'vmdk', percent: 50 })
  answers(async () => ({ done: true }))
})

test.each([
  [new UnusableImageError(imageProblems.backing), imageProblems.backing],
  [new NoSpaceError('the disk is full'), imageProblems.noSpace],
])('a failure has its reason, and leaves no bytes: %s', async (error, problem) => {
  const { importFile, view, reach, call, snapshotState, database } = await start(async () => {
    throw error
  })
  await importFile('bad', file)
  const { id } = await reach('bad', 'faulted')
  const conversion = { format: null, percent: 0, problem }
  expect(await view('bad')).toMatchObject({ status: 200, body: { conversion, written: [] } })
  await until(
    () => database.db.selectFrom('volume').select('id').where('id', '=', id).execute(),
    (rows) => expect(rows).toEqual([]),
  )
  expect(await snapshotState('bad')).toBe('faulted')
  expect((await call('GET', '/x/v1/disks/bad/contents?project=work')).status).toBe(400)
  // Both can be deleted, and nothing is left.
  const rest = ['/v1/snapshots/bad-snapshot', '/v1/disks/bad']
  for (const path of rest) {
    expect((await call('DELETE', `${path}?project=work`)).status).toBe(204)
  }
})

test('a disk whose image is being converted can be deleted, and its snapshot ends', async () => {
  const { importFile, view, call, snapshotState, database } = await start(async () => half)
  await importFile('endless', file)
  await until(
    () => view('endless'),
    ({ body }) => expect(body.conversion).toMatchObject({ percent: 50 }),
  )
  expect((await call('DELETE', '/v1/disks/endless?project=work')).status).toBe(204)
  await until(
    () => database.db.selectFrom('volume').select('id').execute(),
    (rows) => expect(rows).toEqual([]),
  )
  expect(await snapshotState('endless')).toBe('faulted')
})

test('another error of the engine is no failure of the image @long', async () => {
  const { importFile, reach, answers } = await start(async () => {
    throw new Error('the daemon is gone')
  })
  await importFile('later', file)
  expect((await reach('later', 'finalizing')).name).toBe('later')
  answers(async () => ({ done: true }))
  await reach('later', 'detached')
})

test('a download into a full store says so, and leaves nothing @long', async () => {
  const images = await startImageServer()
  onTestFinished(images.close)
  images.files['/full.raw'] = { bytes: file }
  const { call } = await startImports((_parts, volumes) => ({
    ...volumes,
    write: async () => {
      throw new NoSpaceError('the disk is full')
    },
  }))
  const { body: begun } = await call('POST', '/x/v1/image-downloads?project=work', {
    name: 'full',
    description: '',
    os: '',
    version: '',
    url: `${images.url}/full.raw`,
    raw_disk: true,
  })
  await until(
    () => call('GET', `/x/v1/image-downloads/${begun.id}`),
    ({ body }) =>
      expect(body).toMatchObject({ state: 'failed', problem: imageDownloadProblems.noSpace }),
  )
  await until(
    () => call('GET', '/v1/disks?project=work'),
    ({ body }) => expect(body.items).toEqual([]),
  )
})
