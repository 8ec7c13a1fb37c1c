/** The tail of the log, kept for support bundles. */
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

test("servers that share a directory include each other's logs, which nobody else can read", async () => {
  const data = temporaryDirectory()
  const [one, other] = [createLogTail(data), createLogTail(data)]
  expect(await textOf(one)).toBe('')
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  one.add('first')
  // Files of the same millisecond are not ordered.
  vi.setSystemTime(Date.now() + 1)
  other.add('second')
  expect(await textOf(one)).toBe('first\nsecond\n')
  const [file] = readdirSync(join(data, 'log'))
  expect(statSync(join(data, 'log', file!)).mode & 0o077).toBe(0)
})

test('only the tail is kept, in bounded space', async () => {
  const data = temporaryDirectory()
  const tail = createLogTail(data)
  const line = 'x'.repeat(64 * 1024)
  for (let number = 0; number < 100; number++) tail.add(`${number} ${line}`)
  const text = await textOf(tail)
  expect(text.length).toBeLessThan(3 * 1024 * 1024)
  expect(text).toContain('\n99 x')
  expect(text).not.toContain('\n9 x')
})

test('an unwritable log is not an error', () => {
  const data = temporaryDirectory()
  const tail = createLogTail(data)
  chmodSync(data, 0o500)
  expect(() => tail.add('lost')).not.toThrow()
  chmodSync(data, 0o700)
  rmSync(data, { recursive: true })
  expect(() => tail.add('lost as well')).not.toThrow()
})
