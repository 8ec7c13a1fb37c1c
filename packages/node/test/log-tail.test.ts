/** The end of the log that is kept for support bundles. */
import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLogTail } from '../src/log-tail.ts'
import { temporaryDirectory } from './support/process.ts'

async function textOf({ parts }: ReturnType<typeof createLogTail>): Promise<string> {
  let all = ''
  for await (const { text } of parts()) all += text
  return all
}

test('servers that share a directory tell of each other, and nobody else reads it', async () => {
  const data = temporaryDirectory()
  const [one, other] = [createLogTail(data), createLogTail(data)]
  expect(await textOf(one)).toBe('')
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  one.add('first')
  // Files of the same millisecond are in no order.
  vi.setSystemTime(Date.now() + 1)
  other.add('second')
  expect(await textOf(one)).toBe('first\nsecond\n')
  const [file] = readdirSync(join(data, 'log'))
  expect(statSync(join(data, 'log', file!)).mode & 0o077).toBe(0)
})

test('only the end is kept, in bounded room', async () => {
  const data = temporaryDirectory()
  const tail = createLogTail(data)
  const line = 'x'.repeat(64 * 1024)
  for (let number = 0; number < 100; number++) tail.add(`${number} ${line}`)
  const text = await textOf(tail)
  expect(text.length).toBeLessThan(3 * 1024 * 1024)
  expect(text).toContain('\n99 x')
  expect(text).not.toContain('\n9 x')
})

test('what cannot be written is no error', () => {
  const data = temporaryDirectory()
  const tail = createLogTail(data)
  chmodSync(data, 0o500)
  expect(() => tail.add('lost')).not.toThrow()
  chmodSync(data, 0o700)
  rmSync(data, { recursive: true })
  expect(() => tail.add('lost as well')).not.toThrow()
})
