/** Files of layers that another server is writing, or has left when it was killed. */
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { layerFiles } from '../src/volumes/layer-files.ts'
import { unfinished } from '../src/volumes/whole-file.ts'

/** Longer than any file is written to. */
const LONG_AGO = new Date('2020-01-01')

test('a server whose clock is ahead leaves a file that another one is writing', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'steading-unfinished-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const [left, written] = [unfinished('left'), unfinished('written')]
  for (const name of [left, written]) writeFileSync(join(directory, name), '')
  utimesSync(join(directory, left), LONG_AGO, LONG_AGO)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2999-01-01') })
  onTestFinished(() => void vi.useRealTimers())
  await layerFiles(directory, { shared: true }).open()
  expect(readdirSync(directory)).toEqual([written])
})
