/** Suggestions and errors of the query editor, and the range added to queries. */
import { timeseriesFacts } from '@steading/api/timeseries'
import { parse } from '@steading/oxql/syntax'
import { expect, test } from 'vitest'
import { meansEmpty } from '../../src/observability/timeseries/run-query.ts'
import { queryProblem, syntaxProblem } from '../../src/observability/timeseries/problem.ts'
import type { Schema } from '../../src/observability/timeseries/schemas.ts'
import { suggestionsAt } from '../../src/observability/timeseries/suggestions.ts'
import { timedQuery } from '../../src/observability/timeseries/timed-query.ts'

const schemas: Schema[] = timeseriesFacts.map(({ name, fields, ...fact }) => ({
  ...fact,
  timeseriesName: name,
  fieldSchema: fields,
}))

/** The suggestions at `¦`. */
const at = (text: string) => suggestionsAt(text.replace('¦', ''), text.indexOf('¦'), schemas)
const labelsAt = (text: string) => at(text).options.map(({ label }) => label)

test('suggests timeseries after get, prefix matches first', () => {
  expect(labelsAt('¦')).toEqual(['get', '{'])
  expect(labelsAt('get ¦')).toHaveLength(schemas.length)
  expect(labelsAt('get virtual_disk:by¦')).toEqual([
    'virtual_disk:bytes_discarded',
    'virtual_disk:bytes_read',
    'virtual_disk:bytes_written',
  ])
  expect(labelsAt('get vcpu¦')).toEqual(['virtual_machine:vcpu_usage'])
  expect(at('get vcpu¦ | last 1')).toMatchObject({ start: 4, end: 8 })
})

test('suggests fields of the timeseries, and after group_by the remaining ones', () => {
  const filter = labelsAt('get virtual_machine:vcpu_usage | filter ¦')
  expect(filter).toContain('state')
  expect(filter).toContain('datum')
  expect(labelsAt('get virtual_machine:vcpu_usage | filter st¦')).toEqual(
    expect.arrayContaining(['state', 'start_time']),
  )
  const grouped = 'get virtual_disk:reads | align mean_within(1m) | group_by '
  expect(labelsAt(`${grouped}[¦`)).toContain('disk_id')
  expect(labelsAt(`${grouped}[¦`)).not.toContain('datum')
  expect(labelsAt(`${grouped}[disk_id] | filter d¦`).slice(0, 2)).toEqual(['disk_id', 'datum'])
  expect(labelsAt(`${grouped}[disk_id], ¦`)).toEqual(['mean', 'sum'])
})

test('looks up values of the field, and an unterminated string keeps the text behind it', () => {
  const text = 'get virtual_machine:vcpu_usage | filter state == "ru¦ | last 1'
  expect(at(text)).toMatchObject({
    typed: '"ru',
    end: text.indexOf('¦'),
    values: { names: ['virtual_machine:vcpu_usage'], field: 'state' },
  })
  expect(labelsAt('get virtual_disk:reads | filter timestamp > ¦')).toContain('@now() - 1h')
  expect(labelsAt('get switch_data_link:link_up | align ¦')).toEqual(['mean_within', 'interpolate'])
})

test('an error has its position', () => {
  expect(syntaxProblem('get virtual_disk:reads')).toBeUndefined()
  const text = 'get virtual_disk:reads | aling mean_within(1m)'
  const problem = syntaxProblem(text)!
  expect(problem.message).toMatch(/^Line 1, column 26: expected "filter", "align"/)
  expect(text.slice(problem.place!.start, problem.place!.end)).toBe('aling')
})

test('an error of the control plane about a name is placed at the name', () => {
  const text = 'get virtual_disk:wreads | filter nothing == 1'
  const placed = (message: string) => {
    const { place } = queryProblem(text, message)
    return place && text.slice(place.start, place.end)
  }
  expect(placed('Timeseries not found for: virtual_disk:wreads')).toBe('virtual_disk:wreads')
  expect(
    placed(
      'The filter expression contains identifiers that are not valid for its input timeseries. Invalid identifiers: ["nothing"], timeseries fields: {"disk_id"}',
    ),
  ).toBe('nothing')
  expect(placed('Queries must be <= 4096 characters')).toBeUndefined()
})

test('a missing alignment is an error, missing data is not', () => {
  const unaligned = 'Input tables to a `group_by` must be aligned'
  expect(meansEmpty('get a:b | group_by [c]', unaligned)).toBe(false)
  expect(meansEmpty('get a:b | align mean_within(1m) | group_by [c]', unaligned)).toBe(true)
  expect(meansEmpty('get a:b', 'Timeseries not found for: a:b')).toBe(false)
  expect(meansEmpty('get a:b', 'Input tables to a `group_by` must not be empty')).toBe(true)
})

const hour = { from: Date.parse('2026-01-01T00:00:00Z'), to: Date.parse('2026-01-01T01:00:00Z') }

test('the range becomes a filter behind each get, two windows early, unless the query has its own time', () => {
  expect(timedQuery('get a:b | align mean_within(1m)', hour)).toEqual({
    query:
      'get a:b | filter timestamp >= @2025-12-31T23:58:00.000 && timestamp < @2026-01-01T01:00:00.000 | align mean_within(1m)',
    isTimed: true,
  })
  const { query } = timedQuery('{ get a:b | first 1; { get c:d; get e:f } } | last 2', hour)
  expect(query.match(/get \w:\w \| filter timestamp >= @2026-01-01T00:00:00.000/g)).toHaveLength(3)
  expect(parse(query).operations).toHaveLength(2)
  const own = 'get a:b | filter !(c == 1) || timestamp > @now() - 5m'
  expect(timedQuery(own, hour)).toEqual({ query: own, isTimed: false })
})
