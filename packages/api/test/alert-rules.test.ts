import { expect, test } from 'vitest'
import { conditionWords } from '../src/observability/alert-rules/rules.ts'

const above = { comparison: 'above', threshold: 2e9, duration: 60, units: 'nanoseconds' } as const

test('conditions are described in words', () => {
  expect(conditionWords(above, null)).toBe('above 2 s for 1 minute')
  expect(
    conditionWords({ ...above, threshold: 0.25, duration: 90, units: 'count' }, 'env:prod,backup'),
  ).toBe('above 0.25 for 90 seconds on resources with env:prod and backup')
  expect(
    conditionWords(
      { comparison: 'below', threshold: -5, duration: 0, units: 'degrees_celsius' },
      null,
    ),
  ).toBe('below -5 °C')
  expect(
    conditionWords(
      { comparison: 'no_data', threshold: null, duration: 7200, units: null },
      'env:prod',
    ),
  ).toBe('no data for 2 hours on resources with env:prod')
})
