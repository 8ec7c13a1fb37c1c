/** Tests of what tests start: it has ended before the directories that it writes to are removed. */
import { expect, onTestFinished, test } from 'vitest'
import { lockDataDirectory } from '../src/data-lock.ts'
import { startHost } from './kill/host-process.ts'
import { startProcess, temporaryDirectory } from './support/process.ts'

test.each([
  ['server', (data: string) => startProcess(['--data', data])],
  ['server that is to be killed', (data: string) => startHost(data)],
])('a %s ends with its test', async (_, start) => {
  const data = temporaryDirectory()
  onTestFinished(() => {
    const lock = () => lockDataDirectory(data).release()
    expect(lock, 'while a process has the directory').not.toThrow()
  })
  await start(data)
})
