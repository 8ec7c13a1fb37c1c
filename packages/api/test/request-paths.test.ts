/** Empty segments of paths are left out: clients compose them from addresses that end in a slash. */
import { operationTable } from '@steading/api'
import { plainTarget } from '@steading/api/rules'
import { expect, test } from 'vitest'

const paths = [...new Set(Object.values(operationTable).map(({ path }) => path))].map((path) =>
  path.replaceAll(/\{\w+\}/g, 'some'),
)

test.each([
  ['doubled slashes', (path: string) => path.replaceAll('/', '//')],
  ['three slashes at the beginning', (path: string) => `//${path}`],
  ['a slash at the end', (path: string) => `${path}/`],
  ['slashes at the end', (path: string) => `${path}///`],
])('a path of each operation with %s is the plain one', (_, spelled) => {
  for (const path of paths) {
    expect(plainTarget(path)).toBe(path)
    expect(plainTarget(spelled(path))).toBe(path)
    expect(plainTarget(`${spelled(path)}?a=//b/`)).toBe(`${path}?a=//b/`)
  }
})

test.each(['/v1/../v1/me', '/v1/.', '/v1/%2E%2e/me', '//x/v1/./me', '/login/..?a'])(
  'the path %s is refused',
  (path) => expect(plainTarget(path)).toBeUndefined(),
)

test.each(['/', '//', '/docs/', '/projects//a', '/v1/a..b/.c', '/v1/me?x=/../'])(
  'the path %s stays as it is',
  (path) => expect(plainTarget(path)).toBe(path),
)
