/** Hosts of uplinks, as the options name them. */
import { OtherEngineError, partWith } from '@steading/control-plane'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultConfig } from '../src/config.ts'
import { checkUplinks } from '../src/doctor/uplinks.ts'
import { createEngine, otherEngineAdvice } from '../src/engine.ts'
import { temporaryDirectory } from './support/process.ts'

const host = { name: 'edge0', switch: 'switch0', frr: 'nobody', ports: { qsfp0: 'nodevice0' } }

function configured(file: object) {
  const uplinks = join(temporaryDirectory(), 'uplinks.json')
  writeFileSync(uplinks, JSON.stringify(file))
  return { ...defaultConfig(), engine: 'simulated' as const, uplinks }
}

test('the file of --uplinks replaces the uplinks of an engine', async () => {
  const { engine } = await createEngine(configured({ hosts: [host] }))
  expect(partWith(engine, 'uplinks')?.name).toBe('frr')
  expect(partWith(engine, 'machines')?.name).toBe('simulated')
  const without = await createEngine({ ...defaultConfig(), engine: 'simulated' })
  expect(partWith(without.engine, 'uplinks')?.name).toBe('simulated')
})

test('a file that cannot be used is refused', async () => {
  const config = configured({ hosts: [{ ...host, switch: 'switch2' }] })
  await expect(createEngine(config)).rejects.toThrow(
    `--uplinks ${config.uplinks}: hosts.0.switch: `,
  )
  const missing = { ...config, uplinks: '/nowhere/uplinks.json' }
  await expect(createEngine(missing)).rejects.toThrow('--uplinks /nowhere/uplinks.json: ENOENT')
  expect(await checkUplinks(missing)).toMatchObject([{ level: 'problem' }])
})

test('a database is told what its uplinks need', () => {
  expect(otherEngineAdvice(new OtherEngineError('uplinks', 'frr'))).toContain('with the file')
  expect(otherEngineAdvice(new OtherEngineError('uplinks', 'simulated'))).toContain('without')
})

test('the doctor says what a host lacks', async () => {
  const findings = await checkUplinks(configured({ hosts: [host] }))
  const texts = findings.map(({ text }) => text)
  expect(texts).toEqual(
    expect.arrayContaining([
      expect.stringContaining('FRR of uplink host edge0 (this host) does not answer'),
      'uplink host edge0 (this host) has no interface nodevice0',
    ]),
  )
  expect(await checkUplinks(configured({ hosts: [] }))).toEqual([])
})
