import { expect, test } from 'vitest'
import { csvParts, jsonParts } from '../src/workspace/list-export/file-parts.ts'

const csv = (rows: object[]) => [...csvParts(rows)].join('')

test('nested fields are columns, lists are JSON, and missing fields are empty', () => {
  const rows = [
    { name: 'a', size: 5, backend: { type: 'local', source: null }, tags: [] },
    { name: 'b, c', read_only: true, backend: { type: 'x' }, tags: ['é', '"'] },
  ]
  expect(csv(rows)).toBe(
    [
      'name,size,backend.type,backend.source,tags,read_only',
      'a,5,local,,,',
      '"b, c",,x,,"[""é"",""\\""""]",true',
      '',
    ].join('\r\n'),
  )
})

test('texts that a spreadsheet would run are quoted, and no rows are an empty line', () => {
  expect(csv([{ description: '=HYPERLINK("x")' }])).toBe('description\r\n"\'=HYPERLINK(""x"")"\r\n')
  expect(csv([])).toBe('\r\n')
})

test.for([0, 1, 499, 500, 501, 1200])('%i rows are in both files, in order', (count) => {
  const rows = Array.from({ length: count }, (_, index) => ({ index }))
  expect(JSON.parse([...jsonParts(rows)].join(''))).toEqual(rows)
  const lines = csv(rows).split('\r\n')
  expect(lines.slice(1, -1)).toEqual(rows.map(({ index }) => String(index)))
})
