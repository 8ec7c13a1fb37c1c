/** The JSON log: one object per line. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runToEnd, startProcess, migratedDirectory, temporaryDirectory } from './support/process.ts'

const lines = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('every line of a log in JSON has time, level and message', async () => {
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\S+Z$/)
  // Plain HTTP on all addresses causes a warning.
  const server = await startProcess(
    ['--data', migratedDirectory(), '--log', 'json', '--host', '0.0.0.0'],
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

/** Failing starts and commands, with their log messages. */
const failures: { args: string[]; env?: Record<string, string>; message: RegExp }[] = [
  { args: ['--log', 'json', '--port', '70000'], message: /^--port must be a whole number/ },
  { args: ['--prot', '1', '--log=json'], message: /^unknown option --prot/ },
  {
    args: ['--data', import.meta.filename],
    env: { STEADING_LOG: 'json' },
    message: /^cannot use /,
  },
  { args: ['verify', '/nowhere', '--log', 'json'], message: /^\/nowhere cannot be used/ },
]

test.for(failures)('$args fails in one line of JSON', async ({ args, env = {}, message }) => {
  const { code, stdout, stderr } = await runToEnd(args, env)
  expect([code, stdout]).toEqual([2, ''])
  expect(lines(stderr)).toEqual([
    { time: expect.any(String), level: 'error', message: expect.stringMatching(message) },
  ])
})

test('a failed start is one line in the text format @long', async () => {
  const { code, stderr } = await runToEnd(['--port', '70000'])
  expect(code).toBe(2)
  expect(stderr).toBe('steading: --port must be a whole number from 0 to 65535, not "70000"\n')
})

test('output of libraries, warnings and uncaught errors are lines of the log @long', async () => {
  const data = temporaryDirectory()
  const server = await startProcess(['--data', data, '--log', 'json'], {
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'support/misbehave.mjs')}`,
  })
  const { code, stdout, stderr } = await server.end('SIGUSR2')
  expect(code).toBe(1)
  expect(lines(stdout)).toContainEqual(
    expect.objectContaining({ level: 'info', message: expect.stringContaining("'table'") }),
  )
  expect(lines(stderr)).toMatchObject([
    {
      level: 'error',
      message: expect.stringMatching(/^a library prints\nseveral lines Error: with/),
    },
    { level: 'error', detail: { name: 'DeprecationWarning', code: 'DEP9999' } },
    {
      level: 'error',
      message: 'stopped by an unexpected error',
      detail: { message: 'nobody catches this', stack: expect.stringContaining('misbehave.mjs') },
    },
  ])
  // Support bundles contain it as well.
  const kept = readdirSync(join(data, 'log')).map((name) => readFileSync(join(data, 'log', name)))
  expect(kept.join('')).toBe(stderr)
})
