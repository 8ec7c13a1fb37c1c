import { consolePaths } from '@steading/api/rules'
import { expect, test } from 'vitest'
import { areas, pathsOf } from '../src/areas.ts'

/** These lead to another page, and belong to the frames. */
const homes = new Set(['/', '/settings', '/projects/$project'])
const isBelow = (above: string) => (path: string) => path === above || path.startsWith(`${above}/`)
const paths = areas.flatMap(pathsOf)

test.each(consolePaths.filter((path) => !homes.has(path)))('%s is in an area', (path) => {
  expect(paths.filter((above) => isBelow(above)(path))).not.toEqual([])
})

test.each(paths)('there is a page at %s or below', (path) => {
  expect(consolePaths.filter(isBelow(path))).not.toEqual([])
})

test('no path is in two areas', () => {
  expect(new Set(paths).size).toBe(paths.length)
})
