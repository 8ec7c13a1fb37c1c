import type { AnyRouteMatch } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { crumbsOf, pageOf } from '../src/shell/crumbs.ts'

const match = (pathname: string, staticData: object, params = {}) =>
  ({ pathname, staticData, params }) as AnyRouteMatch

const matches = [
  match('/', {}),
  match('/', { crumb: 'Projects', crumbTo: '/projects' }),
  match(
    '/projects/p',
    {
      crumb: ({ project }: { project: string }) => project,
      crumbTo: ({ project }: { project: string }) => `/projects/${project}/instances`,
    },
    { project: 'p' },
  ),
  match('/projects/p/disks', { crumb: 'Disks' }),
]

test('a crumb leads to the path of its route or to `crumbTo`', () => {
  expect(crumbsOf(matches).map(({ label, path }) => [label, path])).toEqual([
    ['Projects', '/projects'],
    ['p', '/projects/p/instances'],
    ['Disks', '/projects/p/disks'],
  ])
})

test('a side modal belongs to the page underneath', () => {
  const withModal = [
    ...matches,
    match('/projects/p/disks-new', { crumb: 'New disk', titleOnly: true }),
  ]
  expect(pageOf(withModal)).toBe(pageOf(matches))
})
