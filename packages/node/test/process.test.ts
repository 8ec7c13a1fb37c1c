/** Processes of tests exit before their directories are removed. */
import { expect, onTestFinished, test } from 'vitest'
import { lockDataDirectory } from '../src/data-lock.ts'
import { startProcess, temporaryDirectory } from './support/process.ts'

test('a server exits with its test', async () => {
  const data = temporaryDirectory()
  onTestFinished(() => {
    const lock = () => lockDataDirectory(data).release()
    expect(lock, 'while a process has the directory').not.toThrow()
  })
  await startProcess(['--data', data])
})
