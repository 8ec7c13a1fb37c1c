/** The log of a console in the files of libvirt, which begins a new file when one is full. */
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readBytes, readLog } from '../src/console-log.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steading-log-'))
  path = join(folder, 'console.log')
})
afterEach(() => rmSync(folder, { recursive: true }))

const unknown = { file: null, start: 0 }
const text = async (...args: Parameters<typeof readBytes>) => {
  const { data, offset } = await readBytes(...args)
  return { text: new TextDecoder().decode(data), offset }
}
/** Begins a new file, as libvirt does. */
function rotate(kept = 3): void {
  for (let number = kept - 1; number > 0; number--) {
    try {
      renameSync(`${path}.${number - 1}`, `${path}.${number}`)
    } catch {
      // There are fewer.
    }
  }
  renameSync(path, `${path}.0`)
  writeFileSync(path, '')
}

test('a machine that has printed nothing has an empty log', async () => {
  expect(await readLog(path, unknown)).toEqual({ pieces: [], place: unknown, end: 0 })
  expect(await readLog(join(folder, 'missing', 'console.log'), unknown)).toMatchObject({ end: 0 })
})

test('reads any part', async () => {
  writeFileSync(path, 'abcdef')
  const log = await readLog(path, unknown)
  expect(log.end).toBe(6)
  expect(await text(log, 0)).toEqual({ text: 'abcdef', offset: 0 })
  expect(await text(log, 2, 4)).toEqual({ text: 'cd', offset: 2 })
  expect(await text(log, 9)).toEqual({ text: '', offset: 6 })
})

test('offsets stay the same when new files begin', async () => {
  writeFileSync(path, 'abc')
  const first = await readLog(path, unknown)
  appendFileSync(path, 'def')
  rotate()
  appendFileSync(path, 'ghi')
  const second = await readLog(path, first.place)
  expect(second.end).toBe(9)
  expect(await text(second, 1, 8)).toEqual({ text: 'bcdefgh', offset: 1 })
  rotate()
  appendFileSync(path, 'jkl')
  rotate()
  const third = await readLog(path, second.place)
  expect(third.end).toBe(12)
  expect(await text(third, 4)).toEqual({ text: 'efghijkl', offset: 4 })
})

test('offsets only grow when files were removed while nobody looked', async () => {
  writeFileSync(path, 'abc')
  const first = await readLog(path, unknown)
  rotate(2)
  appendFileSync(path, 'def')
  rotate(2)
  appendFileSync(path, 'ghi')
  rotate(2)
  appendFileSync(path, 'jkl')
  const later = await readLog(path, first.place)
  expect(later.end).toBeGreaterThanOrEqual(12)
  expect(await text(later, 0)).toEqual({ text: 'defghijkl', offset: later.end - 9 })
  expect((await readLog(path, later.place)).end).toBe(later.end)
})
