/** Examples of the documentation are valid queries of existing metrics, and cover the language. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { timeseriesByName } from '@steading/api/timeseries'
import { describe, expect, test } from 'vitest'
import { evaluate, parse, QueryError, type SeriesSource, tokenize } from '../src/index.ts'
import type { Operation, Query } from '../src/syntax.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/pages/oxql.md'), 'utf8')
const examples = [...page.matchAll(/^```oxql\n([^]*?)^```$/gm)].map(([, text]) => text!.trim())

const source: SeriesSource = {
  schema: (name) => timeseriesByName.get(name),
  read: () => Promise.resolve([]),
}

describe('an example is a query that can be evaluated', () => {
  test.each(examples)('%s', async (text) => {
    const answer = evaluate(parse(text), {
      source,
      now: Date.parse('2026-02-01T12:00:00Z'),
      scope: [],
    })
    const problem = await answer.catch((error: unknown) => error)
    // There are no points, which only these two operations refuse.
    if (problem instanceof QueryError) expect(problem.message).toMatch(/must not be empty$/)
    else expect(problem).toBeInstanceOf(Array)
  })
})

function* operationsOf({ operations }: Query): Generator<Operation> {
  for (const operation of operations) {
    yield operation
    if (operation.kind === 'group')
      for (const query of operation.queries) yield* operationsOf(query)
  }
}

test('the examples cover every operation, operator and kind of value', () => {
  const operations = examples.flatMap((text) => [...operationsOf(parse(text))])
  expect([...new Set(operations.map(({ kind }) => kind))].toSorted()).toEqual([
    'align',
    'filter',
    'first',
    'get',
    'group',
    'group_by',
    'join',
    'last',
  ])
  const tokens = examples.flatMap((text) => tokenize(text))
  const texts = new Set(tokens.map(({ text }) => text))
  const shown = [...page.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!)
  for (const operator of ['==', '!=', '<', '<=', '>', '>=', '~=', '!', '^', '&&', '||']) {
    expect(texts.has(operator) || shown.includes(operator), operator).toBe(true)
  }
  const literals = new Set(tokens.flatMap(({ literal }) => literal?.kind ?? []))
  expect([...literals].toSorted()).toEqual([
    'double',
    'duration',
    'integer',
    'ip',
    'string',
    'timestamp',
    'uuid',
  ])
})
