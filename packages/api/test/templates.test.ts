/** Templates of instances: variables, and the requests that they are filled into. */
import { expect, test } from 'vitest'
import { TEMPLATE_DEPTH_MAX, templateInstanceNames, templateMessages } from '../src/rules.ts'
import {
  escaped,
  fillTemplate,
  sampleInstances,
  newVariable,
  templateProblem,
  type TemplateVariable,
  templateValues,
  withRenamedVariable,
} from '../src/compute/instance-templates/fill.ts'

const variable = (values: Partial<TemplateVariable> = {}): TemplateVariable =>
  newVariable({ name: 'size', label: 'Size', type: 'number', ...values })
const filled = (instance: object, given: Record<string, string | number | boolean> = {}) =>
  fillTemplate(instance as Record<string, unknown>, 'web', new Map(Object.entries(given)))
const text = variable({ name: 'zone', type: 'text' })
const decoded = (value: unknown) => Buffer.from(String(value), 'base64').toString()

test('a variable gets another name wherever it is used, and nothing else changes', () => {
  const instance = {
    ncpus: { $variable: 'size' },
    memory: { $variable: 'sizes' },
    description: '${size}, ${sizes}, $${size} and $size',
    disks: [{ size: { $variable: 'size' }, name: 'size' }],
  }
  expect(withRenamedVariable(instance, 'size', 'big')).toEqual({
    ncpus: { $variable: 'big' },
    memory: { $variable: 'sizes' },
    description: '${big}, ${sizes}, $${size} and $size',
    disks: [{ size: { $variable: 'big' }, name: 'size' }],
  })
})

test('variables stand for whole values, and for parts of texts', () => {
  expect(
    filled(
      {
        ncpus: { $variable: 'size' },
        description: '${zone}: ${name} $${zone}',
        disks: [{ name: '${name}-data' }],
      },
      { size: 4, zone: 'north' },
    ),
  ).toEqual({
    name: 'web',
    hostname: 'web',
    description: 'north: web ${zone}',
    ncpus: 4,
    disks: [{ name: 'web-data' }],
  })
})

test('a variable without a value takes its property or element away', () => {
  expect(
    filled({ ssh_public_keys: [{ $variable: 'key' }, 'mine'], hostname: { $variable: 'host' } }),
  ).toEqual({ name: 'web', description: '', hostname: 'web', ssh_public_keys: ['mine'] })
})

test('user data is Base64 as it is, or plain text with variables', () => {
  expect(filled({ user_data: 'JHtuYW1lfQ==' }).user_data).toBe('JHtuYW1lfQ==')
  const script = '#!/bin/sh\necho $${HOME} ${zone} ä\n'
  expect(decoded(filled({ user_data: { $text: script } }, { zone: 'n' }).user_data)).toBe(
    '#!/bin/sh\necho ${HOME} n ä\n',
  )
})

test('an escaped text stays as it is', () => {
  for (const one of ['${a}', '$${a}', '$$${', 'a$b', '${']) {
    expect(filled({ description: escaped(one) }).description).toBe(one)
  }
})

const says = templateMessages
const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])

test.each<[string, object, TemplateVariable[], string | undefined]>([
  ['nothing', { ncpus: 1 }, [], undefined],
  ['a used variable', { ncpus: { $variable: 'size' } }, [variable()], undefined],
  ['an unknown variable', { ncpus: { $variable: 'size' } }, [], says.unknown('size')],
  ['an unknown variable in a text', { description: '${HOME}' }, [], says.unknown('HOME')],
  ['a name of an object', { description: '${constructor}' }, [], says.unknown('constructor')],
  ['an unused variable', { ncpus: 1 }, [variable()], says.unused('size')],
  [
    'two of one name',
    { ncpus: { $variable: 'size' } },
    [variable(), variable()],
    says.twice('size'),
  ],
  ['a name of the instance', { name: 'web' }, [], says.named],
  ['a reserved name', {}, [variable({ name: 'name' })], says.reservedName],
  ['a bad name', {}, [variable({ name: 'Size' })], says.variableName],
  [
    'a variable with company',
    { ncpus: { $variable: 'size', x: 1 } },
    [],
    says.notAlone('$variable'),
  ],
  ['another key', { ncpus: { $value: 1 } }, [], says.unknownKey('$value')],
  ['text elsewhere', { description: { $text: 'a' } }, [], says.textElsewhere],
  ['encoded user data', { user_data: { a: 1 } }, [], says.userDataEncoded],
  ['too deep', { disks: deep(TEMPLATE_DEPTH_MAX + 2) }, [], says.tooDeep],
  ['far too deep', { disks: deep(3_000) }, [], says.tooDeep],
  ['a long one', { description: 'x'.repeat(70_000) }, [], says.tooLong],
  [
    'a choice without choices',
    {},
    [variable({ type: 'choice' })],
    says.declared('size', says.choicesNone),
  ],
  [
    'choices of another type',
    {},
    [variable({ choices: ['a'] })],
    says.declared('size', says.choiceType),
  ],
  [
    'choices of a text',
    {},
    [variable({ type: 'text', choices: ['a'] })],
    says.declared('size', says.choicesOther),
  ],
  [
    'bounds of a boolean',
    {},
    [variable({ type: 'boolean', min: 1 })],
    says.declared('size', says.boundsOther),
  ],
  ['crossed bounds', {}, [variable({ min: 2, max: 1 })], says.declared('size', says.boundsWrong)],
  [
    'a default out of bounds',
    {},
    [variable({ default: 9, max: 8 })],
    says.ofVariable('size', says.value.more(8)),
  ],
  ['no label', {}, [variable({ label: ' ' })], says.declared('size', says.label)],
])('a template with %s', (_, instance, variables, problem) => {
  expect(templateProblem(instance as Record<string, unknown>, variables)).toBe(problem)
})

test.each<[TemplateVariable, unknown, string | undefined]>([
  [variable(), 3, undefined],
  [variable(), '3', says.value.number],
  [variable(), 1.5, says.value.number],
  [variable({ min: 4 }), 3, says.value.less(4)],
  [variable({ choices: [1, 2] }), 3, says.value.choice],
  [variable({ type: 'size' }), -1, says.value.size],
  [variable({ type: 'text', max: 2 }), 'abc', says.value.long(2)],
  [variable({ type: 'text', min: 2 }), '', says.value.short(2)],
  [variable({ type: 'choice', choices: ['a'] }), 'b', says.value.choice],
  [variable({ type: 'boolean' }), 'true', says.value.boolean],
  [variable({ type: 'image' }), 'No', says.value.name],
  [variable({ type: 'subnet' }), { a: 1 }, says.value.name],
])('a value of %j: %j', (one, value, problem) => {
  const wrong = () => templateValues([one], { size: value })
  if (problem === undefined) expect(wrong().get('size')).toBe(value)
  else expect(wrong).toThrow(says.ofVariable('size', problem))
})

test('values are the given ones, or defaults', () => {
  const own = variable({ name: 'own', default: 2 })
  const free = variable({ name: 'free', required: false })
  expect([...templateValues([own, free], {})]).toEqual([['own', 2]])
  expect([...templateValues([own, free], { own: null, free: 5 })]).toEqual([
    ['own', 2],
    ['free', 5],
  ])
  expect(() => templateValues([text], {})).toThrow(says.missing('zone'))
  expect(() => templateValues([], { zone: 'a' })).toThrow(says.undeclared('zone'))
})

test('texts that variables multiply have a limit', () => {
  const instance = { description: '${zone}'.repeat(200) }
  expect(() => filled(instance, { zone: 'x'.repeat(1024) })).toThrow(says.filledTooLong)
})

test('samples have each default, choice and bound, and a missing value', () => {
  const variables = [
    variable({ min: 2, max: 8 }),
    variable({ name: 'kind', type: 'choice', choices: ['a', 'b', 'c'] }),
    variable({ name: 'more', type: 'text', required: false }),
  ]
  const instance = { n: { $variable: 'size' }, k: { $variable: 'kind' }, m: { $variable: 'more' } }
  const samples = [...sampleInstances(instance, variables)]
  expect(new Set(samples.map(({ n }) => n))).toEqual(new Set([2, 8]))
  expect(new Set(samples.map(({ k }) => k))).toEqual(new Set(['a', 'b', 'c']))
  expect(new Set(samples.map(({ m }) => m))).toEqual(new Set(['sample', undefined]))
})

test('names are numbered', () => {
  expect(templateInstanceNames('web', 1, null)).toEqual(['web'])
  expect(templateInstanceNames('web', 2, null)).toEqual(['web-1', 'web-2'])
  expect(templateInstanceNames('web', 1, 7)).toEqual(['web-7'])
})
