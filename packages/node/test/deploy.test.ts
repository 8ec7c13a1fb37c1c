/** The image and the unit of `deploy` name only what there is. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { options } from '../src/config.ts'

const root = join(import.meta.dirname, '../../..')
const unit = join(root, 'deploy/steading.service')
const texts = ['deploy/Containerfile', 'deploy/steading.service'].map((file) =>
  readFileSync(join(root, file), 'utf8'),
)

test.each(texts)('variables and files exist', (text) => {
  const known = options.map(({ env }) => env)
  const variables = [...text.matchAll(/STEADING_[A-Z_]+/g)].map(([name]) => name)
  expect(variables.length).toBeGreaterThan(0)
  expect(known).toEqual(expect.arrayContaining(variables))
  const [entry] = /packages\/node\/src\/\w+\.ts/.exec(text)!
  expect(existsSync(join(root, entry))).toBe(true)
})

test('the image is not run by root, and checks a path that everybody may ask', () => {
  const [image] = texts
  expect(image).toMatch(/^USER node$/m)
  expect(image).toContain('/x/v1/health/live')
})

test('the image has the packages that the server is made of', () => {
  const needed = new Set<string>()
  const add = (name: string) => {
    if (needed.has(name)) return
    needed.add(name)
    const file = readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')
    const { dependencies = {} } = JSON.parse(file) as { dependencies?: Record<string, string> }
    for (const each of Object.keys(dependencies)) {
      if (each.startsWith('@steading/')) add(each.slice('@steading/'.length))
    }
  }
  add('node')
  const installed = [...texts[0]!.matchAll(/-w packages\/([\w-]+)/g)].map(([, name]) => name)
  expect(installed.toSorted()).toEqual([...needed].toSorted())
})

const systemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!systemd)('systemd understands the unit', () => {
  const { stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  // It may have something to say about the machine as well.
  expect(stderr.split('\n').filter((line) => line.includes('steading.service'))).toEqual([])
})
