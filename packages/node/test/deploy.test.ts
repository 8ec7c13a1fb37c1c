/** The files of `deploy` refer only to existing options and files. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { STOP_MS } from '@steading/api/rules'
import { defaultConfig, options } from '../src/config.ts'
import { temporaryDirectory } from './support/process.ts'

const root = join(import.meta.dirname, '../../..')
const unit = join(root, 'deploy/debian/steading.service')
const texts = [
  'deploy/Containerfile',
  'deploy/debian/steading.service',
  'deploy/debian/steading.env',
  'deploy/debian/steading.sh',
  'deploy/cluster/templates/steading.env.j2',
  'deploy/cluster/inventory.example.yml',
].map((file) => readFileSync(join(root, file), 'utf8'))

test.each(texts)('only existing variables are used', (text) => {
  const known = options.map(({ env }) => env)
  const variables = [...text.matchAll(/STEADING_[A-Z_]+/g)].map(([name]) => name)
  expect(variables.length).toBeGreaterThan(0)
  expect(known).toEqual(expect.arrayContaining(variables))
})

test('the image does not run as root, and its health check uses a public path', () => {
  const [image] = texts
  expect(image).toMatch(/^USER node$/m)
  expect(image).toContain('/x/v1/health/live')
})

test('the image is built from the package, and calls its entry point', () => {
  const [image] = texts
  const [, pattern] = /^ADD (\S+) \/opt\/$/m.exec(image!)!
  const named = (name: string) => matchesGlob(name, pattern!)
  expect(
    ['steading-0.2.0.tgz', 'steading-client-0.2.0.tgz', 'steading-runtime-0.2.0.tgz'].filter(named),
  ).toEqual(['steading-0.2.0.tgz'])
  expect(image).toContain('ln -s /opt/package/bin/steading.js /usr/local/bin/steading')
  expect(image).toMatch(/^ENTRYPOINT \["steading"\]$/m)
})

test('supervisors give a server the time for its shutdown', () => {
  const [image, service] = texts
  const [, container] = /--stop-timeout (\d+)/.exec(image!)!
  const [, unitTime] = /^TimeoutStopSec=(\d+)$/m.exec(service!)!
  for (const seconds of [container, unitTime]) {
    expect(Number(seconds)).toBeGreaterThanOrEqual((defaultConfig().drainMs + STOP_MS) / 1_000)
  }
})

const systemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!systemd)('systemd understands the unit', () => {
  const copy = join(temporaryDirectory(), 'steading.service')
  // The program is not installed here.
  const text = readFileSync(unit, 'utf8').replace('/usr/bin/steading', process.execPath)
  writeFileSync(copy, text)
  const { stderr } = spawnSync('systemd-analyze', ['verify', copy], { encoding: 'utf8' })
  // It may also report on the machine itself.
  expect(stderr.split('\n').filter((line) => line.includes('steading.service'))).toEqual([])
})
