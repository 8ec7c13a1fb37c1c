import { expect, test } from 'vitest'
import { endedSentence, issueRules, type IssueRule } from '../src/index.ts'
import { jobActions, jobPhrase, jobVerb, notificationsOf } from '../src/rules.ts'

/** Facts of all kinds. */
const facts = {
  name: 'grain',
  project: 'mill',
  silo: 'acme',
  own: true,
  kind: 'disk',
  id: '66f14cc0-4a59-44fc-afdc-2801830f9481',
  sledId: '66f14cc0-4a59-44fc-afdc-2801830f9481',
  serial: 'BRM42',
  host: 'BRM42',
  pool: 'fast',
  sled: 'BRM42',
  switch: 'Switch 0',
  peer: '10.0.0.1',
  address: '10.0.0.1',
  port: 'Port qsfp0 of switch 0',
  link: 'phy0',
  path: '/data',
  file: '0001.points',
  version: '1.2.0',
  server: 'node-1',
  phrase: 'delete 3 disks',
  problem: 'no answer',
  reason: 'no_space',
  finding: 'page 7',
  state: 'starting',
  comparison: 'above',
  threshold: 0.2,
  duration: 600,
  seconds: 420,
  units: null,
  filter: null,
  enabled: true,
  shares: [{ what: 'vCPUs', share: 0.95 }],
  share: 0.95,
  free: 2 ** 30,
  left: 3n,
  capacity: 100n,
  bytes: 4096,
  series: 2,
  number: 7,
  count: 2,
  failed: 2,
  silent: 2,
  failures: 10,
  days: 3,
  part: 'northd',
  fault: 'asynchronous',
  synchronousCommit: 'on',
  standbys: [{ name: 'n2', behind: 4096 }],
}

const factsOf = (kind: string): object =>
  kind === 'instance_paused' ? { ...facts, sled: { id: 'x', serial: facts.serial } } : facts

/** A whole sentence without its stop, as a text within a page and as a subject. */
const SENTENCE = /^[A-Z0-9](?!.*(undefined|NaN|\[object))[^{}]*[^.\s]$/

test.each(Object.keys(issueRules))('%s is told while it lasts and when it has ended', (kind) => {
  const rule = issueRules[kind as keyof typeof issueRules] as unknown as IssueRule<object>
  const lasting = rule.sentence(factsOf(kind))
  const ended = endedSentence(rule, factsOf(kind))
  expect(lasting).toMatch(SENTENCE)
  expect(ended).toMatch(SENTENCE)
  expect(ended).not.toBe(lasting)
  expect(notificationsOf).toHaveProperty(kind)
  const deleted = endedSentence(rule, { ...facts, isDeleted: true })
  expect(deleted).toBe(rule.subject ? `${rule.subject(facts)} was deleted` : ended)
})

test('an instance works again only if it runs', () => {
  const rule = issueRules.instance_failed as unknown as IssueRule<object>
  const within = { ...facts, within: 'project' }
  expect(endedSentence(rule, { ...within, isRunning: true })).toBe('Instance grain works again')
  expect(endedSentence(rule, within)).toBe('Instance grain is no longer failed')
})

test.each(jobActions)('the action %s of jobs has a phrase', (action) => {
  const phrase = jobPhrase(action, { kind: 'disk', count: 1204 })
  expect(phrase).toMatch(/^[a-z]+ 1,204 disks$/)
  expect(phrase.startsWith(jobVerb(action).toLowerCase())).toBe(true)
})

test.each([
  [{ kind: 'disk', count: 1, name: 'grain' }, 'delete disk grain'],
  [{ kind: 'disk', count: 1 }, 'delete 1 disk'],
  [
    { kind: 'vpc_subnet', count: 1, name: 'front', inside: ['yard'] },
    'delete subnet front of VPC yard',
  ],
] as const)('a job on %j is to %s', (targets, phrase) => {
  expect(jobPhrase('delete', targets)).toBe(phrase)
})
