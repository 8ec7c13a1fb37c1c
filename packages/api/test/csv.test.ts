import { expect, test } from 'vitest'
import { csvLine } from '../src/rules/csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['=HYPERLINK("http://evil.example","x")', '"\'=HYPERLINK(""http://evil.example"",""x"")"'],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['a=b', 'a=b'],
  ['a "b", c', '"a ""b"", c"'],
  ['', ''],
  [null, ''],
  [undefined, ''],
  [-1.5, '-1.5'],
  [-1n, '-1'],
])('the cell of %s is %s: no text is a formula, and numbers stay numbers', (value, cell) => {
  expect(csvLine([value, 'end'])).toBe(`${cell},end\r\n`)
})
