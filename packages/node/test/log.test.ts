/** The log for programs: an object in each line. */
import { expect, test, vi } from 'vitest'
import { runToEnd, startProcess, temporaryDirectory } from './support/process.ts'

vi.setConfig({ testTimeout: 60_000 })

const lines = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('every line of a log in JSON has time, level and message', async () => {
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\S+Z$/)
  // Plain HTTP on all addresses is worth a warning.
  const server = await startProcess(
    ['--data', temporaryDirectory(), '--log', 'json', '--host', '0.0.0.0'],
    {},
  )
  const { stdout, stderr } = await server.end('SIGTERM')
  expect(lines(stdout)).toEqual([
    {
      time,
      level: 'info',
      message: expect.stringMatching(/^First start: sign in to silo "main" as "admin"/),
    },
    { time, level: 'info', message: `Steading is running at ${server.url}` },
  ])
  expect(lines(stderr)).toEqual([
    { time, level: 'error', message: expect.stringMatching(/^Passwords, sessions and data/) },
  ])
})

test('a start that fails is one line in any format', async () => {
  const { code, stderr } = await runToEnd(['--log', 'json', '--port', '70000'])
  expect(code).toBe(2)
  expect(stderr).toBe('steading: --port must be a whole number from 0 to 65535, not "70000"\n')
})
