import { describe, expect, test } from 'vitest'
import {
  firstSteps,
  fleetSentences,
  oneInstanceSentences,
  projectSentences,
  type Sentence,
  stepPath,
  type Trouble,
  type Troubles,
} from '../src/index.ts'

const textOf = ({ parts }: Sentence) => parts.map(({ text }) => text).join('')
const none: Troubles = { count: 0, first: undefined, since: null }
const trouble = (sentence: string): Trouble => ({ name: 'x', sentence, path: '/x', began: null })
const some = (count: number, atLeast = false): Troubles => ({
  count,
  atLeast,
  first: trouble('Quota is used up'),
  since: null,
})
const paths = { failed: '/failed', attention: '/attention' }
const instances = { total: 3, running: 2, path: '/running' }
const facts = { failed: none, alerts: none, others: none, paths, instances }

describe('what needs attention', () => {
  test.each<[string, Partial<typeof facts>, string[]]>([
    ['one thing', { others: some(1) }, ['2 instances are running.', 'Quota is used up.']],
    [
      'several things',
      { others: some(2) },
      ['2 instances are running.', '2 things need attention.'],
    ],
    [
      'things besides alerts',
      { alerts: some(2), others: some(1), failed: none },
      ['2 instances are running.', '2 alerts are firing.', 'Quota is used up.'],
    ],
    [
      'more than were counted',
      { alerts: some(50, true), others: some(50, true) },
      [
        '2 instances are running.',
        'At least 50 alerts are firing.',
        'At least 50 other things need attention.',
      ],
    ],
    [
      'one alert of an unknown age',
      { alerts: some(1) },
      ['2 instances are running.', 'One alert is firing.'],
    ],
    [
      'failures, which come first',
      { failed: some(3), others: some(3) },
      ['3 instances have failed.', '2 instances are running.', '3 other things need attention.'],
    ],
  ])('%s', (_, differs, said) => {
    expect(projectSentences({ ...facts, ...differs }).map(textOf)).toEqual(said)
  })

  test('has links to its pages', () => {
    const all = projectSentences({ ...facts, failed: some(2), others: some(2) })
    const links = all.flatMap(({ parts }) => parts.flatMap(({ path }) => path ?? []))
    expect(links).toEqual(['/failed', '/running', '/attention'])
    expect(all.map(({ tone }) => tone)).toEqual(['failed', 'plain', 'attention'])
  })

  test('of critical alerts is as urgent as a failure', () => {
    const toneOf = (alerts: Troubles) => projectSentences({ ...facts, alerts }).at(-1)!.tone
    expect(toneOf({ ...some(2), critical: true })).toBe('failed')
    expect(toneOf(some(2))).toBe('attention')
  })
})

test.each([
  [0, 0, 'There are no sleds yet.'],
  [1, 1, 'One sled is in service.'],
  [4, 4, '4 sleds are in service.'],
  [4, 1, '1 of 4 sleds is in service.'],
])('of %i sleds, %i in service', (total, inService, said) => {
  const [first] = fleetSentences({ ...facts, sleds: { total, inService, path: '/sleds' } })
  expect(textOf(first!)).toBe(said)
})

test('each step leads to a page with all names filled in', () => {
  for (const steps of Object.values(firstSteps)) {
    for (const step of Object.values(steps)) {
      expect(stepPath(step, { project: 'a b', silo: 'main' })).toMatch(/^\/[^$ ]+$/)
    }
  }
})

test('an instance that is being repaired needs attention', () => {
  const of = { since: '2026-03-04T09:05:00Z', trouble: null, sled: undefined, alerts: none }
  const said = oneInstanceSentences({ ...of, state: 'repairing' })
  expect(said.map(({ tone }) => tone)).toEqual(['attention'])
  expect(textOf(said[0]!)).toMatch(/^Being repaired since /)
  expect(oneInstanceSentences({ ...of, state: 'running' }).map(textOf)).toContain(
    'Nothing needs attention.',
  )
})
