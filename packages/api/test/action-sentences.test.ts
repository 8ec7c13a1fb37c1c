import { expect, test } from 'vitest'
import { isAudited, type Operation, operationTable } from '../src/index.ts'
import { actionPhrases } from '../src/observability/audit-log/phrases.ts'
import {
  actionSentence,
  factNamesOf,
  kindTable,
  phraseOf,
  rolesChanged,
  type Told,
  untoldOperations,
  withArticle,
} from '../src/rules.ts'

const audited = Object.entries<Operation>(operationTable)
  .filter(([, operation]) => isAudited(operation))
  .map(([id]) => id)

test.each(audited)('%s has a sentence', (operation) => {
  expect(phraseOf(operation)).toBeDefined()
  const sentence = actionSentence({ operation, target: { kind: 'disk', name: 'grain' } })
  expect(sentence).toMatch(/^[a-z]/)
  expect(sentence).not.toMatch(/[{}]|undefined|called /)
  // Other resources are named by their kinds, or have words of their own.
  const unnamed = factNamesOf(operation).filter(
    (name) => !['roles', 'size'].includes(name) && !(name in kindTable),
  )
  expect(unnamed).toEqual([])
})

test('every phrase belongs to an operation in the audit log', () => {
  expect(Object.keys(actionPhrases).filter((id) => !audited.includes(id))).toEqual([])
  expect(untoldOperations.filter((id) => !audited.includes(id))).toEqual([])
})

const disk = { kind: 'disk', name: 'grain' }
const mill = { kind: 'instance', name: 'mill' }

test.each<[Told, string]>([
  [{ operation: 'disk_create', target: disk }, 'created disk grain'],
  [{ operation: 'disk_create', target: disk, failed: true }, 'could not create disk grain'],
  [{ operation: 'disk_create', target: disk, count: 400 }, 'created 400 disks'],
  [
    { operation: 'disk_create', target: disk, count: 500, isMore: true },
    'created at least 500 disks',
  ],
  [{ operation: 'disk_delete', target: { kind: 'disk', name: '' } }, 'deleted a disk'],
  [{ operation: 'instance_delete', target: { ...mill, name: '' } }, 'deleted an instance'],
  [{ operation: 'instance_stop', target: mill }, 'stopped instance mill'],
  [
    {
      operation: 'instance_template_create',
      target: { kind: 'silo_instance_template', name: 'small' },
    },
    'created template small',
  ],
  [{ operation: 'instance_stop', target: mill, count: 2 }, 'stopped 2 instances'],
  [{ operation: 'login_local' }, 'signed in with a password'],
  [{ operation: 'login_local', count: 3 }, 'signed in with a password 3 times'],
  [
    { operation: 'instance_disk_attach', target: mill, facts: { disk: 'grain' } },
    'attached disk grain to instance mill',
  ],
  // Entries of earlier versions have no facts.
  [{ operation: 'instance_disk_attach', target: mill }, 'attached a disk to instance mill'],
  [
    { operation: 'instance_move', target: mill, facts: { sled: 'BRM42' } },
    'moved instance mill to sled BRM42',
  ],
  [{ operation: 'instance_move', target: mill }, 'moved instance mill to another sled'],
  [{ operation: 'instance_move_cancel', target: mill }, 'cancelled the move of instance mill'],
  [
    {
      operation: 'project_policy_update',
      target: { kind: 'project', name: 'shop' },
      facts: { roles: 'gave mem the role collaborator' },
    },
    'gave mem the role collaborator on project shop',
  ],
  [
    { operation: 'project_policy_update', target: { kind: 'project', name: 'shop' } },
    'changed the roles of project shop',
  ],
  [{ operation: 'deleted_resource_delete', target: disk }, 'permanently deleted disk grain'],
  [{ operation: 'of_another_version', target: disk }, 'called of_another_version'],
  [{ operation: 'constructor' }, 'called constructor'],
])('%j is told as %j', (told, sentence) => {
  expect(actionSentence(told)).toBe(sentence)
})

test('a text in a name is no placeholder', () => {
  const sentence = actionSentence({
    operation: 'instance_disk_attach',
    target: { kind: 'instance', name: '{disk}' },
    facts: { disk: '{target} $&' },
  })
  expect(sentence).toBe('attached disk {target} $& to instance {disk}')
})

test.each([
  ['disk', 'a disk'],
  ['instance', 'an instance'],
  ['IP pool', 'an IP pool'],
  ['SSH key', 'an SSH key'],
  ['update repository', 'an update repository'],
  ['user', 'a user'],
])('%s has the article of %j', (words, text) => {
  expect(withArticle(words)).toBe(text)
})

const mem = { name: 'mem', role: 'collaborator' }

test.each([
  [[mem], [], 'gave mem the role collaborator'],
  [[], [{ ...mem, name: undefined }], 'took the role collaborator from somebody'],
  [
    [mem],
    [{ name: 'ann', role: 'viewer' }],
    'gave mem the role collaborator and took the role viewer from ann',
  ],
  [
    [mem, mem, mem, mem, mem],
    [],
    'gave mem the role collaborator, gave mem the role collaborator, gave mem the role collaborator and changed 2 roles more',
  ],
])('roles given %j and taken %j are told', (given, taken, text) => {
  expect(rolesChanged(given, taken)).toBe(text)
})
